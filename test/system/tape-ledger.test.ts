import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { EMPTY_LOG } from '../../src/core/alerts/log/log-entry.ts';
import { checkEntry, entryLine, parseEntry } from '../../src/core/alerts/log/seal.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { sha256 } from '../../src/infra/secrets/sha256.ts';
import { runTape } from '../../src/wiring/tape-record.ts';
import { runUndisturbed, runWithKills } from '../support/crash-run.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { seededRandom } from '../support/random.ts';
import { sampleDayFile } from '../support/sample-day.ts';
import { storedRecord } from '../support/stored-record.ts';

/** The published bytes of every alert and all that is kept beside them, as one digest. */
function digestOf(alerts: readonly Alert[]): string {
  const hash = createHash('sha256');
  for (const alert of alerts)
    hash.update(JSON.stringify(alertView(alert))).update(JSON.stringify(sorted(alert)));
  return hash.digest('hex');
}

/** Stores may give a row's fields in an order of their own. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

const ledgers = new Map<string, string>();
const logs = new Map<string, readonly string[]>();
const observations = new Map<string, readonly string[]>();
const records = new Map<string, string>();

describe.each(DATABASES)('the ledger of the tape on $name', ({ name, available, open }) => {
  describe.skipIf(!available)('with a database', () => {
    const opened: TestDatabase[] = [];
    let undisturbed: Awaited<ReturnType<typeof runUndisturbed>>;

    async function fresh(): Promise<string> {
      const database = await open();
      opened.push(database);
      return database.url;
    }

    beforeAll(async () => {
      const url = await fresh();
      undisturbed = await runUndisturbed(url);
      records.set(name, await storedRecord(url));
      ledgers.set(name, digestOf(undisturbed.alerts));
      logs.set(name, undisturbed.log);
      observations.set(name, undisturbed.observations);
    });
    afterAll(async () => {
      for (const database of opened) await database.drop();
    });

    test('holds more than 100 alerts of all three types, with dense ids and every market settled', () => {
      const { alerts } = undisturbed;
      expect(alerts.length).toBeGreaterThan(100);
      expect(new Set(alerts.map(({ type }) => type))).toEqual(
        new Set(['fresh', 'fresh_accumulator', 'cluster']),
      );
      expect(alerts.every(({ id }, index) => id === index + 1)).toBe(true);
      expect(alerts.every(({ resolution }) => resolution !== null)).toBe(true);
    });

    test('has the sample day of /sandbox/alerts.json (`npm run sample-day` writes it)', async () => {
      const file = join(import.meta.dirname, '../../src/http/views/sample-day.ts');
      expect(await readFile(file, 'utf8')).toBe(sampleDayFile(undisturbed.alerts));
    });

    test('has a log with the software, the rules, each alert and each outcome, unbroken', () => {
      const entries = undisturbed.log.map((line) => parseEntry(JSON.parse(line)));
      const count = (kind: string) => entries.filter((entry) => entry?.kind === kind).length;
      const problems = entries.map((entry, index) =>
        entry === null ? 'malformed' : checkEntry(entry, entries[index - 1] ?? EMPTY_LOG, sha256),
      );

      expect(problems.filter((problem) => problem !== null)).toEqual([]);
      expect(entries.slice(0, 2).map((entry) => entry?.kind)).toEqual(['software', 'rules']);
      expect(count('alert')).toBe(undisturbed.alerts.length);
      expect(count('outcome')).toBeGreaterThan(30);
      expect(undisturbed.alerts.map(({ log }) => log?.hash)).toEqual(
        entries.flatMap((entry) => (entry?.kind === 'alert' ? [entry.hash] : [])),
      );
    });

    test('is byte-equal when the tape is played again, with SIGKILL at three random moments', async () => {
      const { alerts, log, observations } = await runWithKills({
        url: await fresh(),
        kills: 3,
        workMs: undisturbed.workMs,
        random: seededRandom(2022),
      });
      expect(digestOf(alerts)).toBe(ledgers.get(name));
      expect(log).toEqual(undisturbed.log);
      expect(observations).toEqual(undisturbed.observations);
    }, 120_000);
  });
});

test('the ledger of the tape, its log and its observations are byte-equal on both databases', () => {
  const [first, ...others] = [...ledgers.values()];
  for (const other of others) expect(other).toBe(first);
  const [log, ...otherLogs] = [...logs.values()];
  for (const other of otherLogs) expect(other).toEqual(log);
  const [observed, ...otherObservations] = [...observations.values()];
  expect(observed?.length).toBeGreaterThan(1_000);
  for (const other of otherObservations) expect(other).toEqual(observed);
});

test('a backtest of the tape has the log of the service and its record, byte for byte', async () => {
  const database = await openDatabase('sqlite::memory:');
  const tape = { file: 'data/tapes/midterms-2022.jsonl.gz', rules: DEFAULT_RULES };
  await runTape({ ...tape, database, onProgress() {} }, new AbortController().signal);
  const log = (await database.log.after(0, { limit: 100_000 })).map(entryLine);
  await database.close();
  const printed = await promisify(execFile)(process.execPath, [
    ...['src/cli/tipoff.ts', 'backtest', tape.file, '--json'],
  ]);

  expect(records.size).toBeGreaterThan(0);
  for (const kept of logs.values()) expect(log).toEqual(kept);
  for (const record of records.values()) expect(printed.stdout).toBe(`${record}\n`);
  expect(JSON.parse(printed.stdout).stages[0].counts.alerts).toBeGreaterThan(100);
}, 60_000);
