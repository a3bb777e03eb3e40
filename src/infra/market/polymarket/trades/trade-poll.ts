import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { allOrNone, repeat } from '../../../../core/base/async/repeat.ts';
import { backoffMs, retry } from '../../../../core/base/async/retry.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { blindCauseOf } from '../client/route-health.ts';
import { PollRound } from './poll-round.ts';
import {
  createTradePages,
  LISTED_LATE_MS,
  type PageCursor,
  type ReadPage,
  type TradePage,
  type TradePollOptions,
  type TradePollStatus,
} from './trade-pages.ts';
import { enqueueFills, walkBack } from './trade-walk.ts';

/** Time between the starts of two rounds. The list is rebuilt every 4 s: more often shows nothing sooner. */
const ROUND_EVERY_MS = SECOND_MS;
/** Pauses after a failed request: after a failure of 18 s a round is confirmed within 24 s, before the feed is blind (25 s). */
const BACKOFF = { firstMs: 500, mostMs: 5_000 };
/** A page that is refused as a bad request so often in a row ends the walk: its cursor is no longer known. */
const MOST_BAD_REQUESTS = 3;

const SWEEP_EVERY_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = SECOND_MS;
/** How far back a sweep reaches. At 38 trades a second a page covers 26 s: the long reach is 274 pages, of 0.2 MB each. */
const REACH_MS = 15 * MINUTE_MS;
/** Every twelfth sweep (each hour) reaches as far back as a trade was ever listed late. */
const LONG_EVERY = 12;
/** Newer trades are left to the rounds. */
const LEFT_TO_ROUNDS_MS = MINUTE_MS;
const MOST_SWEEP_ATTEMPTS = 6;

/** Polls the market's list of trades: the source that confirms trades without a node. */
export class TradePoll {
  readonly #options: TradePollOptions;
  readonly #readPage: ReadPage;
  readonly #round: PollRound;
  // The first round reaches back itself.
  #sweeps = 1;

  constructor(options: TradePollOptions) {
    this.#options = options;
    this.#readPage = createTradePages(options);
    this.#round = new PollRound(options, (cursor, signal) => this.#readForRound(cursor, signal));
  }

  run(signal: AbortSignal): Promise<void> {
    return allOrNone(signal, [(life) => this.#runRounds(life), (life) => this.#runSweeps(life)]);
  }

  status(): TradePollStatus {
    return this.#round.status();
  }

  #runRounds(signal: AbortSignal): Promise<void> {
    const { clock, random, logger } = this.#options;
    let startedAt = clock.now();
    const round = () => {
      startedAt = clock.now();
      return this.#round.run(signal);
    };
    return repeat(round, {
      clock,
      signal,
      // A clock that is set back delays no round.
      intervalMs: () => Math.min(startedAt + ROUND_EVERY_MS - clock.now(), ROUND_EVERY_MS),
      retryMs: (failures) => backoffMs(BACKOFF, failures, random),
      failures: new FailureLog(logger, 'polling round failed; retrying'),
      isFatal: (error) => !signal.aborted && !(error instanceof UpstreamFault),
    });
  }

  /**
   * Lists the last quarter of an hour again every five minutes, and the last two hours every hour, for trades that the market
   * listed late. Measured lists are complete after 11 s; rows an hour late were reported once. Such a trade is late already,
   * so it is enqueued with its page and does not wait for the end of the sweep.
   */
  #runSweeps(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    let isLive = false;
    const sweep = async () => {
      const { liveUntil } = this.#round;
      isLive = liveUntil !== null;
      if (liveUntil !== null) await this.#sweep(liveUntil - LEFT_TO_ROUNDS_MS, signal);
    };
    return repeat(sweep, {
      clock,
      signal,
      intervalMs: () => (isLive ? SWEEP_EVERY_MS : LOOK_EVERY_MS),
      failures: new FailureLog(logger, 'sweep of the last hours failed; retrying in 5 minutes'),
      isFatal: (error) => !signal.aborted && !(error instanceof UpstreamFault),
    });
  }

  async #sweep(until: EpochMs, signal: AbortSignal): Promise<void> {
    const { clock, random, logger, knows, onListed } = this.#options;
    const from = until - (this.#sweeps % LONG_EVERY === 0 ? LISTED_LATE_MS : REACH_MS);
    const isInSpan = ({ at }: Trade) => at >= from && at < until;
    const isFinal = (error: unknown) => !(error instanceof UpstreamFault);
    const limits = { clock, signal, backoff: BACKOFF, random, attempts: MOST_SWEEP_ATTEMPTS, isFinal };
    let found = 0;
    const { pages } = await walkBack({
      read: (cursor) => retry(() => this.#readPage(cursor, { purpose: 'sweep', signal }), limits),
      floor: () => from,
      isNew: (trade) => isInSpan(trade) && !knows(trade),
      keep: 0,
      onPage: async (page, { fills }) => {
        for (const { trade } of page.fills) if (isInSpan(trade)) onListed(trade);
        found += fills.length;
        await enqueueFills(fills, this.#options);
      },
    });
    this.#sweeps += 1;
    logger.debug({ pages: pages.length, found }, 'sweep done');
  }

  /** Reads a page, and retries until it is there: cursors are stable, so what the walk has found is kept. */
  #readForRound(cursor: PageCursor, signal: AbortSignal): Promise<TradePage> {
    const { clock, random, logger, failed } = this.#options;
    let badRequests = 0;
    const attempt = async () => {
      try {
        return await this.#readPage(cursor, { purpose: 'poll', signal });
      } catch (error) {
        if (error instanceof UpstreamFault && !signal.aborted) {
          failed(blindCauseOf(error));
          badRequests = error.status === 400 ? badRequests + 1 : 0;
        }
        throw error;
      }
    };
    const failures = new FailureLog(logger, 'trade page unavailable; retrying');
    const isFinal = (error: unknown) => !(error instanceof UpstreamFault) || badRequests >= MOST_BAD_REQUESTS;
    return retry(attempt, { clock, signal, backoff: BACKOFF, random, failures, isFinal });
  }
}
