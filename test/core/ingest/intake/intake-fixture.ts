import { onTestFinished } from 'vitest';
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
import { marketRow, START, tradeOf, walletRow } from '../../../support/rows.ts';

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
  readonly times: { readonly at: EpochMs; readonly handedAt: EpochMs }[];
  readonly alerts: string[];
  /** While true nothing more is judged. */
  hold: boolean;
  readonly ended: Promise<void>;
  stop(): void;
}

/** An intake before a real detector of a partial source. Stopped at the end of the test. */
export function startIntake(given: Partial<IntakeDeps> & { clock?: FakeClock } = {}): Run {
  const clock = given.clock ?? createFakeClock(START);
  const logger = createRecordingLogger();
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  const stopped = new AbortController();
  onTestFinished(() => stopped.abort());
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

export const small = (wallet: string, at = START) => liveTrade(tradeOf({ wallet, usdc: 10, at }));
export const big = (wallet: string, at = START, marketId = '0xm1') =>
  liveTrade(tradeOf({ wallet, usdc: 5_000, at, marketId }));
/** All but close rows. */
export const told = (rows: readonly Row[]) =>
  rows.flatMap((row) => {
    if (row.kind === 'close' || row.kind === 'removed') return [];
    if (row.kind === 'trade') return [`trade ${row.trade.wallet}`];
    return row.kind === 'wallet' ? [`wallet ${row.facts.wallet}`] : [`market ${row.market.id}`];
  });

export function heldFacts() {
  const open = new Map<string, (answer: WalletFactsAnswer | Error) => void>();
  const asked: string[] = [];
  const ask = (wallet: string) => {
    asked.push(wallet);
    return new Promise<WalletFactsAnswer>((resolve, reject) => {
      open.set(wallet, (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  };
  const settle = (wallet: string) => open.get(wallet)?.(settledFacts(wallet));
  return {
    facts: { ask },
    asked,
    settle,
    answer: (wallet: string, a: WalletFactsAnswer | Error) => open.get(wallet)?.(a),
  };
}

export const fill = (given: Parameters<typeof tradeOf>[0] = {}) => liveTrade(tradeOf({ usdc: 10, ...given }));
export const tradesOf = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.kind === 'trade' ? [row.trade] : []));
export const transactionsOf = (rows: readonly (Row | LiveRow)[]) =>
  tradesOf(rows.map((row) => ('line' in row ? row.row : row))).map(({ transaction }) => transaction);

export const ANSWER_MS = 100;
