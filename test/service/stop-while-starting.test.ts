import { describe, expect, test } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { configOf } from '../support/config.ts';
import { DATABASES } from '../support/databases.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe.each(DATABASES)('a stop while it starts, on $name', ({ available, open }) => {
  test.skipIf(!available)('waits for the start, and both end well', async () => {
    const opened = await open();
    const config = configOf({ DATABASE_URL: opened.url, PORT: '0', MARKET_SOURCE: 'none' });
    const container = await createContainer(config, { logger: silentLogger });
    const starting = container.start();
    await Promise.all([container.close(), container.ended]);
    await expect(starting).resolves.toMatchObject({ address: expect.stringMatching(/^http/) });
    await opened.drop();
  });
});
