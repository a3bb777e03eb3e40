import { UpstreamFault } from '../client/market-client.ts';
import { createFeedSilence } from './feed-silence.ts';
import { createPollBackoff, POLL_LONGEST_MS } from './poll-backoff.ts';
import { createPollRound } from './poll-round.ts';
import { createTradeListing } from './trade-listing.ts';
import { createTradePages } from './trade-pages.ts';
import type { TradePollDeps, TradePollStatus } from './trade-poll-deps.ts';
import { createTradeSweep } from './trade-sweep.ts';

/** A round begins so long after the last one began. The list is rebuilt every 4 s: more often shows nothing sooner. */
const ROUND_EVERY_MS = 1_000;

/** What the market lists, asked for again and again: the source of trades that confirms without a node. */
export interface TradePoll {
  /** Until the signal aborts. Rejects only when `offer` does. */
  run(signal: AbortSignal): Promise<void>;
  status(): TradePollStatus;
}

export function createTradePoll(deps: TradePollDeps): TradePoll {
  const { client, clock, logger } = deps;
  const readPage = createTradePages({ ...deps, listPage: createTradeListing(client) });
  const silence = createFeedSilence(deps);
  const round = createPollRound({ ...deps, readPage, silence });
  const sweep = createTradeSweep({ ...deps, readPage, liveUntil: round.liveUntil });

  async function poll(signal: AbortSignal): Promise<void> {
    const backoff = createPollBackoff({ ...deps, longestMs: POLL_LONGEST_MS });
    while (!signal.aborted) {
      const began = clock.now();
      try {
        await round.run(signal);
        backoff.reset();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof UpstreamFault)) throw error;
        logger.warn({ err: error }, 'a round of polling was given up; trying again');
        await backoff.wait(signal);
        continue;
      }
      // A clock that was set back puts off no round.
      await clock.sleep(Math.min(began + ROUND_EVERY_MS - clock.now(), ROUND_EVERY_MS), signal);
    }
  }

  return {
    async run(signal) {
      const over = new AbortController();
      const stop = () => over.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      const ended = (work: Promise<void>) => work.finally(stop);
      try {
        await Promise.all([ended(poll(over.signal)), ended(sweep.run(over.signal))]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    status: round.status,
  };
}
