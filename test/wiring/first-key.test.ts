import { expect, test } from 'vitest';
import { announceFirstKey } from '../../src/wiring/api.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { openKeyFixture } from '../support/key-fixture.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

test('a start without a key logs the one command that makes one, a start with a key nothing', async () => {
  const { database, clock, issue } = await openKeyFixture();
  const logger = createRecordingLogger();
  const context = { database, clock, logger } as unknown as AppContext;

  await announceFirstKey(context);
  expect(logger.lines).toEqual([
    {
      level: 'info',
      message: 'there is no API key yet; this command makes one',
      fields: { command: 'node bin/tipoff.js keys issue --tier enterprise --name Operations' },
    },
  ]);
  await issue();
  await announceFirstKey(context);
  expect(logger.lines).toHaveLength(1);
  await database.close();
  await announceFirstKey(context);
  expect(logger.lines.map(({ level }) => level)).toEqual(['info', 'debug']);
});
