import type { Clock } from '../../../core/clock.ts';
import type { BlindCause } from '../../../core/feed-health/blind-window.ts';
import type { Logger } from '../../../core/logger.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { createPollBackoff, POLL_LONGEST_MS } from './poll-backoff.ts';
import type { PageCursor } from './trade-listing.ts';
import type { ReadPage, TradePage } from './trade-pages.ts';

/** A page refused as a bad request so often in a row: its cursor is no longer known, and the walk is given up. */
const MOST_BAD_REQUESTS = 3;

interface RetryingReaderDeps {
  readonly readPage: ReadPage;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  failed(cause: BlindCause): void;
}

/** Reads a page, again and again until it is there: cursors are stable, and what the walk has found is kept. */
export function createRetryingReader({ readPage, clock, random, logger, failed }: RetryingReaderDeps) {
  return async (cursor: PageCursor, signal: AbortSignal): Promise<TradePage> => {
    const backoff = createPollBackoff({ clock, random, longestMs: POLL_LONGEST_MS });
    let isLogged = false;
    for (let badRequests = 0; ; ) {
      try {
        return await readPage(cursor, { purpose: 'poll', signal });
      } catch (error) {
        if (signal.aborted || !(error instanceof UpstreamFault)) throw error;
        const { outcome, status } = error;
        failed(outcome === 'timeout' || outcome === 'unreachable' ? 'unreachable' : 'refused');
        badRequests = status === 400 ? badRequests + 1 : 0;
        if (badRequests >= MOST_BAD_REQUESTS) throw error;
        if (!isLogged) logger.warn({ err: error }, 'a page of trades cannot be read; trying again');
        isLogged = true;
        await backoff.wait(signal);
        signal.throwIfAborted();
      }
    }
  };
}
