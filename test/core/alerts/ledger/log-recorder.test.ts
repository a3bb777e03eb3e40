import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogRecorder } from '../../../../src/core/alerts/ledger/log-recorder.ts';
import { LogWriter } from '../../../../src/core/alerts/log/log-writer.ts';
import type { Database } from '../../../../src/core/database.ts';
import type { BlindWindow } from '../../../../src/core/trades/coverage/blind-window.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { sha256 } from '../../../../src/infra/secrets/key-crypto.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { asTheService, createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';
import { wholeLog } from '../../../support/whole-log.ts';

const iso = (at: number) => new Date(at).toISOString();

function windowOf(startedAt: number, given: Partial<BlindWindow> = {}): BlindWindow {
  const id = `blind_${startedAt}`;
  return { id, startedAt, endedAt: null, cause: 'unreachable', backfilledAt: null, ...given };
}

describe('what is fed to the log', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:');
  });
  afterEach(() => database.close());

  async function begin(given: Partial<Database> = {}) {
    const clock = createFakeClock(START);
    const logger = createRecordingLogger();
    const { log, coverage } = { ...database, ...given };
    const writer = new LogWriter({ log, sha256 });
    await writer.open(1);
    return {
      clock,
      logger,
      writer,
      logRecorder: new LogRecorder({
        writer,
        log,
        coverage,
        clock,
        logger: asTheService(logger),
      }),
    };
  }

  const now = () => START + 99;
  const look = async () => (await begin()).logRecorder.look(now);
  const entries = async () => (await wholeLog(database)).map(({ kind, body }) => ({ kind, body }));

  test('a window has one entry when it opens and one when it closes, whatever happens to it meanwhile', async () => {
    const { logRecorder } = await begin();
    const window = windowOf(START);
    for (const cause of ['unreachable', 'stalled', 'refused'] as const) {
      await database.coverage.putWindow({ ...window, cause });
      await logRecorder.look(now);
    }
    await database.coverage.putWindow({ ...window, cause: 'refused', endedAt: START + 50 });
    await logRecorder.look(now);
    await database.coverage.putWindow({
      ...window,
      cause: 'refused',
      endedAt: START + 50,
      backfilledAt: now(),
    });
    await logRecorder.look(now);

    const [id, started_at] = [window.id, iso(START)];
    expect((await wholeLog(database)).map(({ key }) => key)).toEqual(['gap:0', 'gap:1']);
    expect(await entries()).toEqual([
      { kind: 'gap', body: { state: 'opened', id, started_at, cause: 'unreachable' } },
      {
        kind: 'gap',
        body: { state: 'closed', id, started_at, ended_at: iso(START + 50), cause: 'refused' },
      },
    ]);
  });

  test('after a restart nothing is entered twice, and what happened meanwhile is entered', async () => {
    await database.coverage.putWindow(windowOf(START, { endedAt: START + 5 }));
    await database.coverage.putWindow(windowOf(START + 10));
    await look();
    await database.coverage.putWindow(windowOf(START + 10, { endedAt: START + 15 }));
    await database.coverage.putWindow(windowOf(START + 15, { cause: 'unconfirmed' }));
    await look();
    await look();

    const kinds = (await entries()).map(
      ({ body }) => `${body['state']} ${Number(String(body['id']).slice(6)) - START}`,
    );
    expect(kinds).toEqual(['opened 0', 'closed 0', 'opened 10', 'closed 10', 'opened 15']);
  });
});
