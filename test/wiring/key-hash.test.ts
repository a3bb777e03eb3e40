import { expect, onTestFinished, test } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { configOf } from '../support/config.ts';
import { silentLogger } from '../support/silent-logger.ts';

test('the service hashes keys with argon2id in 19 MiB and two passes', async () => {
  const config = configOf({ DATABASE_URL: 'sqlite::memory:', MARKET_SOURCE: 'none' });
  const container = await createContainer(config, { logger: silentLogger });
  onTestFinished(() => container.close());

  await container.keys.issue({ tier: 'pro', name: 'Mine' });

  const [key] = await container.database.keys.list();
  expect(key?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,(t=2,p=1|p=1,t=2)\$/);
});
