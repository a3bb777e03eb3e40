import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { createContainer } from '../../src/container.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { positionInThread, threadKey } from '../../src/core/alerts/ledger/thread.ts';
import type { Database } from '../../src/core/database.ts';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { stateVersionOf } from '../../src/core/detection/state-chunks.ts';
import { categoryOf } from '../../src/core/trades/classification/category-of.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { tempFolder } from '../infra/market/tapes/source-fixture.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { fillAsKilled, readKilledBuild } from '../support/killed-version-2.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { startService } from '../support/service-process.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { wholeLog } from '../support/whole-log.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';
const killed = readKilledBuild();

let foundOnce: Promise<Candidate[]> | undefined;

/** What the rules in force find in the orders that are closed after the killed build's snapshot. */
async function foundAfterSnapshot(): Promise<Candidate[]> {
  const deps = { clock: systemClock, logger: silentLogger, categorise: categoryOf, onDrop: () => {} };
  const source = await openReplay({ file: TAPE, speed: 0, shift: null, checkpoint: null }, deps);
  const detector = new Detector(DEFAULT_RULES, source);
  const found: Candidate[] = [];
  for await (const batch of source.batches(new AbortController().signal)) {
    for (const { row, offset } of batch) {
      const { candidates } = detector.judge(row);
      if (offset > killed.snapshot.checkpoint.offset) found.push(...candidates);
    }
  }
  return found;
}

/** The identity of an order across builds: its thread and its second. */
function orderOf(finding: Candidate): string {
  return `${threadKey(finding)} ${Math.floor(finding.tradedAt / 1_000)}`;
}

/** The alert as the detector found it, without what the ledger adds. */
function foundIn(alert: Alert): Candidate {
  const { id, detectedAt, publishedAt, createdAt, isHistory, threadId, supersedes, ...rest } = alert;
  const { resolution, log, ...found } = rest;
  return found;
}

function threaded(alerts: readonly Alert[]) {
  return alerts.map((alert, index) => {
    const earlier = alerts.slice(0, index).filter((other) => threadKey(other) === threadKey(alert));
    return { id: alert.id, ...positionInThread(alert.id, earlier) };
  });
}

describe.each(DATABASES)('a $name database of version 2 of the rules, killed', ({ available, open }) => {
  describe.skipIf(!available)('and opened by this build', () => {
    let opened: TestDatabase;
    let found: Candidate[];
    beforeAll(async () => {
      foundOnce ??= foundAfterSnapshot();
      found = await foundOnce;
    });

    async function openAsKilled(): Promise<void> {
      opened = await open();
      await fillAsKilled(opened);
    }

    const settings = () => ({
      DATABASE_URL: opened.url,
      MARKET_SOURCE: `replay:${TAPE}`,
      SNAPSHOT_SECONDS: '0.1',
      ROLES: 'ingest',
    });

    /** Lets the service, in this process, come to the tape's end; what it logged. */
    async function runToEnd(more: Record<string, string> = {}): Promise<string> {
      const parsed = parseConfig({ ...settings(), ...more });
      if (!parsed.isOk) throw new Error(parsed.problems.join('\n'));
      const recorder = createRecordingLogger();
      const { promise: atEnd, resolve } = Promise.withResolvers<void>();
      const info: typeof recorder.info = (fields, message) => {
        recorder.info(fields, message);
        if (message === 'the source has ended') resolve();
      };
      const container = await createContainer(parsed.config, { logger: { ...recorder, info } });
      try {
        await container.start();
        await Promise.race([atEnd, container.ended]);
      } finally {
        await container.close();
      }
      return recorder.lines.map(({ message }) => message).join('\n');
    }

    async function reading<T>(read: (database: Database) => Promise<T>): Promise<T> {
      const database = await openDatabase(opened.url, { logger: silentLogger });
      try {
        return await read(database);
      } finally {
        await database.close();
      }
    }
    const ledger = () => reading(({ alerts }) => alerts.after(0, 10_000));

    function expectWhole(alerts: readonly Alert[]): void {
      const published = killed.alerts.length;
      const before = alerts.slice(0, published).map(({ threadId, supersedes, ...alert }) => alert);
      const unsettled = before.map((alert) => ({ ...alert, resolution: null }));
      expect(unsettled).toEqual(killed.alerts.map((alert) => ({ ...alert, resolution: null })));
      const known = new Set(killed.alerts.map(orderOf));
      expect(alerts.slice(published).map(foundIn)).toEqual(found.filter((one) => !known.has(orderOf(one))));
      expect(alerts.map(({ id }) => id)).toEqual(alerts.map((_alert, index) => index + 1));
      expect(alerts.map(({ id, threadId, supersedes }) => ({ id, threadId, supersedes }))).toEqual(
        threaded(alerts),
      );
      expect(alerts.every(({ resolution }) => resolution !== null)).toBe(true);
    }

    /** What the older build published comes first, then what was published since. */
    async function expectLogOf(alerts: readonly Alert[]): Promise<void> {
      const entries = await reading(wholeLog);
      const ofAlerts = entries.filter(({ kind }) => kind === 'alert');
      expect(ofAlerts.map(({ subject }) => subject)).toEqual(alerts.map(({ id }) => `alert:${id}`));
      const published = killed.alerts.length;
      const begun = entries.findIndex(({ kind }) => kind === 'software');
      expect(entries.slice(0, begun).filter(({ kind }) => kind === 'alert')).toHaveLength(published);
      const heads = ofAlerts.slice(published).map(({ sequence, hash }) => ({ sequence, hash }));
      expect(alerts.map(({ log }) => log)).toEqual([...Array(published).fill(undefined), ...heads]);
    }

    describe('once the tape has come to its end', () => {
      let log: string;
      let alerts: readonly Alert[];
      beforeAll(async () => {
        await openAsKilled();
        log = await runToEnd();
        alerts = await ledger();
      });
      afterAll(() => opened.drop());

      test('publishes what the new rules find after its snapshot, nothing twice, and changes no alert', async () => {
        expectWhole(alerts);
        await expectLogOf(alerts);
        const known = killed.alerts.filter(({ id }) => id > 172).map(orderOf);
        expect(found.filter((one) => known.includes(orderOf(one))).length).toBeGreaterThan(20);
        expect(alerts.length).toBeGreaterThan(killed.alerts.length + 20);
        const orders = alerts.slice(killed.alerts.length).map(orderOf);
        expect(new Set(orders).size).toBe(orders.length);
        expect(log).toContain('rebuilding the state');
        expect(await runToEnd()).not.toContain('rebuilding the state');
        expect(await ledger()).toEqual(alerts);
      });

      test('opened with changed DETECTION_RULES afterwards, its state is rebuilt and nothing published again', async () => {
        const rules = join(await tempFolder(), 'rules.json');
        await writeFile(rules, '{"version":"ours","significantUsdc":500}');

        expect(await runToEnd({ DETECTION_RULES: rules })).toContain('rebuilding the state');
        expect(await ledger()).toEqual(alerts);
        const stored = await reading(({ ingest }) => ingest.readSnapshot(`replay:${TAPE}`));
        const ours = stateVersionOf({ ...DEFAULT_RULES, version: 'ours', significantUsdc: 500 });
        expect(stored?.checkpoint).toMatchObject({ madeBy: ours });
      });
    });

    test('killed again in the middle of the rebuild and after it, it gives the same', async ({
      onTestFinished,
    }) => {
      await openAsKilled();
      onTestFinished(() => opened.drop());
      for (const ms of [50, 150, 400]) {
        const service = startService(settings());
        await service.logged('ingesting');
        await delay(ms);
        await service.end('SIGKILL');
      }
      await runToEnd();

      const alerts = await ledger();
      expectWhole(alerts);
      await expectLogOf(alerts);
    }, 90_000);
  });
});
