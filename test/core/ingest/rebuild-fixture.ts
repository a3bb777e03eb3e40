import { untilAborted } from '../../../src/core/base/async/repeat.ts';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import type { Candidate } from '../../../src/core/detection/candidate.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../../src/core/detection/rules.ts';
import { Ingest } from '../../../src/core/ingest/ingest.ts';
import type { IngestDeps } from '../../../src/core/ingest/ingest-deps.ts';
import type { Snapshots } from '../../../src/core/ingest/snapshots.ts';
import type { Checkpoint, SourceRow, TapeSource } from '../../../src/core/trades/source/source.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { arraySource } from '../../support/array-source.ts';
import { takeLease } from '../../support/lease.ts';
import { ledgerParts } from '../../support/ledger.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { closeRow, START, tradeRow } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { withMethods } from '../../support/with-methods.ts';

export const LOOSER: DetectionRules = { ...DEFAULT_RULES, significantUsdc: 300 };

export interface Life {
  readonly rows: readonly Row[];
  readonly rules?: DetectionRules;
  /** Ends once the row with this number was judged. */
  readonly until?: number;
  /** Ends after this batch instead. */
  readonly isEnd?: (batch: readonly SourceRow[]) => boolean;
  /** The last snapshot that is written: the process is killed before the next one. */
  readonly lastSnapshot?: number;
  readonly batchSize?: number;
  readonly given?: Partial<IngestDeps>;
}

export function rereadable(rows: readonly Row[], batchSize = 1) {
  return async (checkpoint: Checkpoint | null, isRebuild: boolean): Promise<TapeSource> =>
    isRebuild
      ? { ...arraySource(rows, null, batchSize), judgedUpTo: checkpoint?.offset ?? 0 }
      : arraySource(rows, checkpoint, batchSize);
}

export async function live(database: Database, life: Life): Promise<void> {
  const { rows, rules = DEFAULT_RULES, until = rows.length, lastSnapshot = until, batchSize, given } = life;
  const isEnd = life.isEnd ?? ((batch) => (batch.at(-1)?.offset ?? 0) >= until);
  const stop = new AbortController();
  const open = given?.openSource ?? rereadable(rows, batchSize);
  const ingest = ingestOver(database, {
    rules,
    store: killedBefore(database.ingest, lastSnapshot),
    logger: { ...silentLogger, error: ({ err }: { err?: Error }) => stop.abort(err) },
    ...given,
    openSource: async (...start) => endingAt(await open(...start), isEnd, stop),
  });
  await ingest.run(stop.signal);
  if (stop.signal.reason instanceof Error && stop.signal.reason.name !== 'AbortError')
    throw stop.signal.reason;
}

/** An ingest that holds the lease of its database. */
export function ingestOver(database: Database, given: Partial<IngestDeps> = {}) {
  const ingest = new Ingest({
    openSource: async (checkpoint) => arraySource([], checkpoint),
    isPaused: () => false,
    sourceName: 'array',
    rules: DEFAULT_RULES,
    ...ledgerParts(database),
    store: database.ingest,
    prices: database.prices,
    clock: quickClock(() => START),
    logger: silentLogger,
    metrics: noMetrics,
    snapshotEveryMs: 0,
    ...given,
  });
  const held = { next: () => takeLease(database) };
  return { status: () => ingest.status(), run: (signal: AbortSignal) => ingest.run(held, signal) };
}

/** Its waits end immediately; but no lease need be renewed in so short a life. */
export function quickClock(now: () => number) {
  const sleep = (ms: number, signal?: AbortSignal) =>
    ms >= 5_000 && signal !== undefined ? untilAborted(signal) : Promise.resolve();
  return { now, sleep };
}

/** The same with a turn of the event loop in each wait. */
export const turningClock = {
  now: () => START,
  sleep: (ms: number, signal?: AbortSignal) =>
    ms >= 5_000 && signal !== undefined
      ? untilAborted(signal)
      : new Promise<void>((resolve) => (signal?.aborted === true ? resolve() : setImmediate(resolve))),
};

function endingAt(
  source: Awaited<ReturnType<IngestDeps['openSource']>>,
  isEnd: Required<Life>['isEnd'],
  stop: AbortController,
) {
  const batches = source.batches.bind(source);
  async function* ending(...run: Parameters<typeof batches>): AsyncGenerator<readonly SourceRow[]> {
    for await (const batch of batches(...run)) {
      yield batch;
      if (isEnd(batch)) break;
    }
    stop.abort();
  }
  return Object.assign(source, { batches: ending });
}

function killedBefore(store: Snapshots, lastSnapshot: number): Snapshots {
  return withMethods(store, {
    async writeSnapshot(lease, snapshot) {
      const { offset } = snapshot.checkpoint as Checkpoint;
      return offset > lastSnapshot ? true : store.writeSnapshot(lease, snapshot);
    },
  });
}

/** What the rules find, with the number of the row that closed each order; the tape's end closes after its last row. */
export function findings(
  rows: readonly Row[],
  rules: DetectionRules = DEFAULT_RULES,
): { candidate: Candidate; offset: number }[] {
  const detector = new Detector(rules, { isComplete: true });
  return [...rows, closeRow()].flatMap((row, index) =>
    detector.judge(row).candidates.map((candidate) => ({ candidate, offset: index + 1 })),
  );
}

export const keysOf = (found: readonly { key: string }[]) => found.map(({ key }) => key);

export async function ledgerOf(database: Database) {
  return keysOf(await database.alerts.after(0, 10_000));
}

/** One fresh wallet a row, 20 s apart; those that buy for 500 USDC are found by the looser rules only. */
export const rows: readonly Row[] = Array.from({ length: 20 }, (_, n) =>
  tradeRow({
    wallet: `0xw${n}`,
    marketId: `0xm${n}`,
    asset: `${n}`,
    usdc: n % 2 === 0 ? 500 : 2_000,
    at: at(n),
  }),
);

export function at(n: number): number {
  return START + n * 20 * SECOND_MS;
}

export const foundAfter = (offset: number, rules = DEFAULT_RULES) =>
  keysOf(findings(rows, rules).flatMap((found) => (found.offset > offset ? [found.candidate] : [])));
