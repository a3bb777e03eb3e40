import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { allOrNone, repeat } from '../../../../core/base/async/repeat.ts';
import { backoffMs, retry } from '../../../../core/base/async/retry.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { blindCauseOf } from '../client/route-health.ts';
import { PollRound } from './poll-round.ts';
import {
  createTradePages,
  LISTED_LATE_MS,
  NEWEST_PAGE,
  type PageCursor,
  type ReadPage,
  type TradePage,
  type TradePollOptions,
  type TradePollStatus,
} from './trade-pages.ts';
import { enqueueFills, walkBack } from './trade-walk.ts';

/** Time between the starts of two rounds. The list is rebuilt every 4 s: more often shows nothing sooner. */
const ROUND_EVERY_MS = SECOND_MS;
/** The same while nothing is expected. The feed is blind after 25 s without an answer. */
const QUIET_ROUND_EVERY_MS = 5 * SECOND_MS;
/** Pauses after a failed request: after a failure of 18 s a round is confirmed within 24 s, before the feed is blind (25 s). */
const BACKOFF = { firstMs: 500, mostMs: 5_000 };
/** A page that is refused as a bad request so often in a row ends the walk: its cursor is no longer known. */
const MOST_BAD_REQUESTS = 3;

const SWEEP_EVERY_MS = HOUR_MS;
const SWEEP_AGAIN_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = SECOND_MS;
/** Newer trades are left to the rounds. */
const LEFT_TO_ROUNDS_MS = MINUTE_MS;
const MOST_SWEEP_ATTEMPTS = 6;
const NEWEST_OF_TAKERS: PageCursor = { ...NEWEST_PAGE, taker_only: true };

/** Polls the market's list of trades: the source that confirms trades. */
export class TradePoll {
  readonly #options: TradePollOptions;
  readonly #readPage: ReadPage;
  readonly #round: PollRound;

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
    const { clock, random, logger, isNothingExpected, wake } = this.#options;
    let startedAt = clock.now();
    const round = () => {
      startedAt = clock.now();
      return this.#round.run(signal);
    };
    return repeat(round, {
      clock,
      signal,
      // A clock that is set back delays no round.
      intervalMs: () => {
        const everyMs = isNothingExpected() ? QUIET_ROUND_EVERY_MS : ROUND_EVERY_MS;
        return Math.min(startedAt + everyMs - clock.now(), everyMs);
      },
      wake,
      retryMs: (failures) => backoffMs(BACKOFF, failures, random),
      failures: new FailureLog(logger, 'polling round failed; retrying'),
      isFatal: (error) => !signal.aborted && !(error instanceof UpstreamFault),
    });
  }

  /**
   * Lists the last two hours again every hour, for trades that the market listed late. Measured lists are complete after
   * 11 s; rows an hour late were reported once. The rows of a transaction are listed together, so takers' rows alone show
   * whether one is late; then all rows are listed. So they are after a walk that read back, whose pages may have split equal
   * trades. A late trade is enqueued with its page and does not wait for the end of the sweep.
   */
  #runSweeps(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    let isWhole = true;
    let sweptAt = Number.NEGATIVE_INFINITY;
    const sweep = async () => {
      const { liveUntil } = this.#round;
      if (liveUntil === null) isWhole = true;
      if (liveUntil === null || !(isWhole || Math.abs(clock.now() - sweptAt) >= SWEEP_EVERY_MS)) return;
      if (!isWhole) isWhole = (await this.#sweep(liveUntil, NEWEST_OF_TAKERS, signal)) > 0;
      if (isWhole) await this.#sweep(liveUntil, NEWEST_PAGE, signal);
      isWhole = false;
      sweptAt = clock.now();
    };
    return repeat(sweep, {
      clock,
      signal,
      intervalMs: LOOK_EVERY_MS,
      retryMs: SWEEP_AGAIN_MS,
      failures: new FailureLog(logger, 'sweep of the last hours failed; retrying in 5 minutes'),
      isFatal: (error) => !signal.aborted && !(error instanceof UpstreamFault),
    });
  }

  /** The number of late trades. */
  async #sweep(liveUntil: EpochMs, first: PageCursor, signal: AbortSignal): Promise<number> {
    const { clock, random, logger, knows, onListed } = this.#options;
    const until = liveUntil - LEFT_TO_ROUNDS_MS;
    const from = until - LISTED_LATE_MS;
    const isInSpan = ({ at }: Trade) => at >= from && at < until;
    const isFinal = (error: unknown) => !(error instanceof UpstreamFault);
    const limits = { clock, signal, backoff: BACKOFF, random, attempts: MOST_SWEEP_ATTEMPTS, isFinal };
    let found = 0;
    const { pages } = await walkBack({
      first,
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
    logger.debug({ pages: pages.length, found }, 'sweep done');
    return found;
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
