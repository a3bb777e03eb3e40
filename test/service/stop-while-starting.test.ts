import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { createContainer } from '../../src/container.ts';
import { DATABASES } from '../support/databases.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe.each(DATABASES)('a stop while it starts, on $name', ({ available, open }) => {
  test.skipIf(!available)('waits for the start, and both end well', async () => {
    const opened = await open();
    const parsed = parseConfig({ DATABASE_URL: opened.url, PORT: '0', MARKET_SOURCE: 'none' });
    if (!parsed.isOk) throw new Error(parsed.problems.join('\n'));
    const container = await createContainer(parsed.config, { logger: silentLogger });
    const starting = container.start();
    await Promise.all([container.close(), container.ended]);
    await expect(starting).resolves.toMatchObject({ address: expect.stringMatching(/^http/) });
    await opened.drop();
  });
});
