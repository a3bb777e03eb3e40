import { type EpochMs, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { Detector } from '../../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../../src/core/detection/rules.ts';
import type { IntakeDeps } from '../../../../src/core/ingest/ingest-deps.ts';
import { Intake } from '../../../../src/core/ingest/intake.ts';
import type { WalletFactsAnswer } from '../../../../src/core/trades/source/facts-sources.ts';
import type { LiveRow } from '../../../../src/core/trades/source/source.ts';
import type { Row, Trade } from '../../../../src/core/trades/trade.ts';
import { createFakeClock, type FakeClock } from '../../../support/clock.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { marketRow, START, walletRow } from '../../../support/rows.ts';

export const live = (row: Row): LiveRow => ({ row, line: '' });
export const liveTrade = (trade: Trade): LiveRow => live({ kind: 'trade', at: trade.at, trade });
export const liveMarket = (id: string): LiveRow => live(marketRow({ id }));
export const settledFacts = (wallet: string, createdAt = START): WalletFactsAnswer => ({
  kind: 'settled',
  row: live(walletRow({ wallet, createdAt })),
});

/** One event loop turn: what was resolved has run by then. */
export const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets enqueued rows pass: their seconds are closed 1.5 s later. */
export async function closeSeconds({ clock }: Pick<Run, 'clock'>): Promise<void> {
  await eventLoopTurn();
  await clock.advance(1.5 * SECOND_MS);
  await eventLoopTurn();
}

export interface Run {
  readonly intake: Intake;
  readonly clock: FakeClock;
  readonly detector: Detector;
  readonly logger: ReturnType<typeof createRecordingLogger>;
  /** Rows in the order they were passed on, with their lines, and by batch. */
  readonly handed: Row[];
  readonly live: LiveRow[];
  readonly batches: (readonly Row[])[];
  /** When each trade was passed on. */
  readonly times: { readonly at: EpochMs; readonly handedAt: EpochMs }[];
  /** What came of them. */
  readonly alerts: string[];
  /** While true nothing more is judged. */
  hold: boolean;
  readonly ended: Promise<void>;
  stop(): void;
}

/** An intake before a real detector of a partial source. */
export function startIntake(given: Partial<IntakeDeps> & { clock?: FakeClock } = {}): Run {
  const clock = given.clock ?? createFakeClock(START);
  const logger = createRecordingLogger();
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  const stopped = new AbortController();
  const intake = new Intake({
    facts: { ask: async (wallet) => settledFacts(wallet) },
    markets: { describe: async (ids) => ids.map(liveMarket) },
    random: () => 0.5,
    logger,
    metrics: noMetrics,
    ...given,
    clock,
  });
  const run = { intake, clock, detector, logger, handed: [] as Row[], live: [] as LiveRow[] };
  const lists = { batches: [] as Row[][], times: [] as Run['times'], alerts: [] as string[] };
  const state = { ...run, ...lists, hold: false, stop: () => stopped.abort() };
  const consume = async () => {
    for await (const batch of intake.batches(stopped.signal, detector)) {
      while (state.hold && !stopped.signal.aborted) await eventLoopTurn();
      state.batches.push(batch.map(({ row }) => row));
      state.live.push(...batch);
      for (const { row } of batch) {
        state.handed.push(row);
        if (row.kind === 'trade') state.times.push({ at: row.at, handedAt: clock.now() });
        for (const { key } of detector.judge(row).candidates) state.alerts.push(key);
      }
    }
  };
  return Object.assign(state, { ended: consume() });
}
