import type { EpochMs } from '../../../core/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { createBackoff } from './backoff.ts';
import { offerFills } from './offer-fills.ts';
import { LISTED_LATE_MS, type PageCursor } from './trade-listing.ts';
import type { ReadPage, TradePage } from './trade-pages.ts';
import type { TradePollDeps } from './trade-poll-deps.ts';
import { walkBack } from './trade-walk.ts';

const SWEEP_EVERY_MS = 300_000;
/** What is newer belongs to the rounds. */
const LEFT_TO_ROUNDS_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const MOST_TRIES = 6;

type TradeSweepDeps = Pick<TradePollDeps, 'clock' | 'random' | 'logger' | 'knows' | 'offer'> & {
  readonly readPage: ReadPage;
  /** Up to when rounds have offered everything; null while one catches up. */
  liveUntil(): EpochMs | null;
};

/** The rounds catch up: sweeping is for later. */
class SweepOver extends Error {}

/**
 * Lists the last two hours whole, again and again, for what the market listed late. Such a trade is late already:
 * it is offered with its page and does not wait for the sweep to end.
 */
export function createTradeSweep(deps: TradeSweepDeps): { run(signal: AbortSignal): Promise<void> } {
  const { clock, logger, knows, liveUntil } = deps;

  async function readPage(cursor: PageCursor, signal: AbortSignal): Promise<TradePage> {
    const backoff = createBackoff(deps);
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

  async function sweep(signal: AbortSignal): Promise<void> {
    const until = (liveUntil() ?? 0) - LEFT_TO_ROUNDS_MS;
    const floor = until - LISTED_LATE_MS;
    let found = 0;
    const { pages } = await walkBack({
      read: (cursor) => readPage(cursor, signal),
      floor: () => floor,
      isNew: (trade) => trade.at >= floor && trade.at < until && !knows(trade),
      keep: 0,
      async onPage({ fills }) {
        found += fills.length;
        await offerFills({ ...deps, onOffer: () => {} }, fills);
      },
    });
    logger.debug({ pages: pages.length, found }, 'the last hours were listed again');
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        if (liveUntil() === null) {
          await clock.sleep(LOOK_EVERY_MS, signal);
          continue;
        }
        const began = clock.now();
        try {
          await sweep(signal);
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
