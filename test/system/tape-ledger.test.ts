import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryLine } from '../../src/core/alerts/log/seal.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { runTape } from '../../src/wiring/tape-record.ts';
import { runUndisturbed, runWithKills } from '../support/crash-run.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { seededRandom } from '../support/random.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { startService } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

type Run = Awaited<ReturnType<typeof runUndisturbed>>;

const runs: Run[] = [];
const records: string[] = [];

describe.each(DATABASES)('the ledger of the tape on $name', ({ available, open }) => {
  describe.skipIf(!available)('with a database', () => {
    const opened: TestDatabase[] = [];
    let undisturbed: Run;

    async function fresh(): Promise<string> {
      const database = await open();
      opened.push(database);
      return database.url;
    }

    beforeAll(async () => {
      const url = await fresh();
      undisturbed = await runUndisturbed(url);
      runs.push(undisturbed);
      records.push(await storedRecord(url));
    });
    afterAll(async () => {
      for (const database of opened) await database.drop();
    });

    test('holds more than 100 alerts of all three types, with dense ids and every market settled', async () => {
      const { alerts } = undisturbed;
      expect(alerts.length).toBeGreaterThan(100);
      expect(new Set(alerts.map(({ type }) => type))).toEqual(
        new Set(['fresh', 'fresh_accumulator', 'cluster']),
      );
      expect(alerts.every(({ id }, index) => id === index + 1)).toBe(true);
      expect(alerts.every(({ resolution }) => resolution !== null)).toBe(true);
    });

    test('is equal, with its log and observations, when the tape is played again with SIGKILL at three random moments', async () => {
      const { workMs, ...kept } = undisturbed;
      const url = await fresh();
      expect(await runWithKills({ url, kills: 3, workMs, random: seededRandom(2022) })).toMatchObject(kept);
    }, 120_000);
  });
});

test('the ledger, the log, the observations and the record of the tape are equal on both databases, and in a backtest', async () => {
  const database = await openDatabase('sqlite::memory:');
  const tape = { file: TAPE, rules: DEFAULT_RULES, database, onProgress() {} };
  await runTape(tape);
  const log = (await database.log.after(0, 100_000)).map(entryLine);
  await database.close();
  const printed = await runTipoff(['backtest', TAPE, '--json'], process.env);

  for (const { alerts, observations, log: kept } of runs) {
    expect(alerts).toEqual(runs[0]?.alerts);
    expect(observations).toEqual(runs[0]?.observations);
    expect(kept).toEqual(log);
  }
  expect(runs[0]?.observations.length).toBeGreaterThan(1_000);
  for (const record of records) expect(printed.out).toBe(`${record}\n`);
  expect(JSON.parse(printed.out).stages[0].counts.alerts).toBeGreaterThan(100);
});

/** The last settlement of the tape. */
const PLAYED_UNTIL = '2022-11-19T22:58:42.000Z';
const SOURCE = 'replay:data/tapes/midterms-2022.jsonl.gz';

/** What a service answers at /record.json, over a database in which the tape of the midterms was played to its end. */
async function storedRecord(url: string): Promise<string> {
  const service = startService({ DATABASE_URL: url, MARKET_SOURCE: SOURCE });
  try {
    const { address } = await service.logged('listening');
    // The record is made again whenever more of the tape was played.
    const read = async () => {
      const text = await (await fetch(`${address}/record.json`)).text();
      return JSON.parse(text).as_of === PLAYED_UNTIL ? text : null;
    };
    return await waitUntil(read, { timeoutMs: 60_000, what: 'the record of the whole tape' });
  } finally {
    await service.end('SIGTERM');
  }
}
