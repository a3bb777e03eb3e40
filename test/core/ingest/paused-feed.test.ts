import { appendFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { Database } from '../../../src/core/database.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { Ingest, type IngestStatus } from '../../../src/core/ingest/ingest.ts';
import { openSqlite } from '../../../src/infra/database/sqlite/open-sqlite.ts';
import { openTail } from '../../../src/infra/market/tapes/tail.ts';
import { readinessOf } from '../../../src/wiring/readiness.ts';
import {
  createSourceFixture,
  TAPE_START,
  TODAY,
  toLines,
  wireTrade,
  writeTape,
} from '../../infra/market/tapes/source-fixture.ts';
import { ledgerParts } from '../../support/ledger.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const HEADER = { tape: { history: 'complete' } };
const trades = Array.from({ length: 12 }, (_, n) =>
  wireTrade({
    proxyWallet: `0x${String(n).padStart(40, '0')}`,
    conditionId: `0xm${n}`,
    asset: `${n}`,
    transactionHash: `0xt${n}`,
    size: 40_000,
    price: 0.2,
    timestamp: TAPE_START / 1_000 + n,
  }),
);

let waits = 0;
/** Waits end immediately; the time stands still. */
const clock = {
  now: () => TODAY,
  sleep: (_ms: number, signal?: AbortSignal) => {
    waits += 1;
    return new Promise<void>((resolve) => (signal?.aborted === true ? resolve() : setImmediate(resolve)));
  },
};

let tailNow = TODAY;
/** For the tape, which closes its last second when no row came for a while, time passes by its waits. */
const tailClock = {
  now: () => tailNow,
  sleep: (ms: number, signal?: AbortSignal) => {
    tailNow += ms;
    return clock.sleep(ms, signal);
  },
};

let database: Database;
let other: Database;
beforeEach(async () => {
  [database, other] = [await openSqlite({ path: ':memory:' }), await openSqlite({ path: ':memory:' })];
});
afterEach(() => Promise.all([database.close(), other.close()]));

/** Follows a tape into a database until it is stopped. */
function follow(file: string, into: Database, waiting: () => IngestStatus['state'] | null = () => null) {
  const ingest = new Ingest({
    openSource: (checkpoint) =>
      openTail({ file, checkpoint }, { ...createSourceFixture(), clock: tailClock }),
    isPaused: () => waiting() === 'paused',
    isClockUncertain: () => waiting() === 'clock_uncertain',
    sourceName: 'tail',
    rules: DEFAULT_RULES,
    ...ledgerParts(into),
    store: into.ingest,
    observations: into.observations,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    snapshotEveryMs: 0,
    owner: 'one',
    isGone: () => false,
  });
  const stop = new AbortController();
  const running = ingest.run(stop.signal);
  const end = () => {
    stop.abort();
    return running;
  };
  return { ingest, end };
}

const ledgerOf = (of: Database): Promise<readonly Alert[]> => of.alerts.after(0, 100);
const judged = (of: Database, count: number) =>
  vi.waitFor(async () => expect(await ledgerOf(of)).toHaveLength(count), { timeout: 10_000, interval: 5 });

test.each([
  ['paused', true],
  ['clock_uncertain', false],
] as const)(
  'a followed tape that is %s in the middle, grows, and is resumed gives the ledger of an undisturbed run',
  async (reason, ready) => {
    const whole = follow(await writeTape([HEADER, ...trades]), other);
    await judged(other, trades.length);
    await whole.end();

    let waiting: IngestStatus['state'] | null = null;
    const file = await writeTape([HEADER, ...trades.slice(0, 5)]);
    const { ingest, end } = follow(file, database, () => waiting);
    await judged(database, 5);
    waiting = reason;
    await appendFile(file, toLines(trades.slice(5)));
    const before = waits;
    await vi.waitFor(() => expect(waits).toBeGreaterThan(before + 1_000), { timeout: 10_000 });
    const coverage = { isLive: false, view: () => null };
    expect(
      await readinessOf({ database, clock }, { ingest, deliver: null, bots: null, coverage, doctor: null }),
    ).toMatchObject({
      ready,
      checks: { source: { ready, state: reason } },
    });
    expect(await ledgerOf(database)).toHaveLength(5);
    waiting = null;
    await judged(database, trades.length);
    await end();

    expect(await ledgerOf(database)).toEqual(await ledgerOf(other));
  },
);
