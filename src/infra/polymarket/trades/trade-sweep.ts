import { MINUTE_MS } from '../../../core/duration.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { enqueueFills } from './enqueue-fills.ts';
import { createPollBackoff } from './poll-backoff.ts';
import { LISTED_LATE_MS, type PageCursor } from './trade-listing.ts';
import type { ReadPage, TradePage } from './trade-pages.ts';
import type { TradePollDeps } from './trade-poll-deps.ts';
import { walkBack } from './trade-walk.ts';

const SWEEP_EVERY_MS = 5 * MINUTE_MS;
/** How far back a sweep reaches. At 38 trades a second a page covers 26 s: the long reach is 274 pages, of 0.2 MB each. */
const REACH_MS = 15 * MINUTE_MS;
/** So many sweeps, an hour of them, hold one that reaches as far back as anything was ever listed late. */
const LONG_EVERY = 12;
/** What is newer belongs to the rounds. */
const LEFT_TO_ROUNDS_MS = MINUTE_MS;
const LOOK_EVERY_MS = 1_000;
const MOST_TRIES = 6;

type TradeSweepDeps = Pick<TradePollDeps, 'clock' | 'random' | 'logger' | 'knows' | 'enqueue'> & {
  readonly readPage: ReadPage;
  /** Up to when rounds have offered everything; null while one catches up. */
  liveUntil(): EpochMs | null;
};

/** The rounds catch up: sweeping is for later. */
class SweepOver extends Error {}

/**
 * Lists the last quarter of an hour again every five minutes, and the last two hours every hour, for what the market
 * listed late: measured lists are complete after 11 s, and rows an hour late were reported once. Such a trade is late already:
 * it is offered with its page and does not wait for the sweep to end.
 */
export function createTradeSweep(deps: TradeSweepDeps): { run(signal: AbortSignal): Promise<void> } {
  const { clock, logger, knows, liveUntil } = deps;

  async function readPage(cursor: PageCursor, signal: AbortSignal): Promise<TradePage> {
    const backoff = createPollBackoff(deps);
    for (let tries = 1; ; tries++) {
      if (liveUntil() === null) throw new SweepOver();
      try {
        return await deps.readPage(cursor, { purpose: 'sweep', signal });
      } catch (error) {
        if (signal.aborted || !(error instanceof UpstreamFault) || tries === MOST_TRIES) throw error;
        await backoff.wait(signal);
        signal.throwIfAborted();
      }
    }
  }

  async function sweep(reachMs: number, signal: AbortSignal): Promise<void> {
    const until = (liveUntil() ?? 0) - LEFT_TO_ROUNDS_MS;
    const floor = until - reachMs;
    let found = 0;
    const { pages } = await walkBack({
      read: (cursor) => readPage(cursor, signal),
      floor: () => floor,
      isNew: (trade) => trade.at >= floor && trade.at < until && !knows(trade),
      keep: 0,
      async onPage({ fills }) {
        found += fills.length;
        await enqueueFills(deps, fills);
      },
    });
    logger.debug({ pages: pages.length, found }, 'what was listed before was listed again');
  }

  return {
    async run(signal) {
      // The first round has just reached back itself.
      let sweeps = 1;
      while (!signal.aborted) {
        if (liveUntil() === null) {
          await clock.sleep(LOOK_EVERY_MS, signal);
          continue;
        }
        const began = clock.now();
        try {
          await sweep(sweeps % LONG_EVERY === 0 ? LISTED_LATE_MS : REACH_MS, signal);
          sweeps += 1;
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof UpstreamFault)
            logger.warn({ err: error }, 'the last hours cannot be listed again; trying again later');
          else if (!(error instanceof SweepOver)) throw error;
        }
        await clock.sleep(Math.min(began + SWEEP_EVERY_MS - clock.now(), SWEEP_EVERY_MS), signal);
      }
    },
  };
}
