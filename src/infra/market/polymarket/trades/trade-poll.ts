import { allOrNone } from '../../../../core/base/async/all-or-none.ts';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { backoffMs, retry } from '../../../../core/base/async/retry.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { PollRound } from './poll-round.ts';
import {
  createTradePages,
  LISTED_LATE_MS,
  type PageCursor,
  type ReadPage,
  type TradePage,
} from './trade-pages.ts';
import { POLL_BACKOFF, type TradePollOptions, type TradePollStatus } from './trade-poll-options.ts';
import { enqueueFills, walkBack } from './trade-walk.ts';

/** Time between the starts of two rounds. The list is rebuilt every 4 s: more often shows nothing sooner. */
const ROUND_EVERY_MS = SECOND_MS;

/** Polls the market's list of trades: the source that confirms trades without a node. */
export class TradePoll {
  readonly #options: TradePollOptions;
  readonly #round: PollRound;
  readonly #sweep: TradeSweep;

  constructor(options: TradePollOptions) {
    const readPage = createTradePages(options);
    this.#options = options;
    this.#round = new PollRound(options, readPage);
    this.#sweep = new TradeSweep(options, readPage, () => this.#round.liveUntil);
  }

  /** Until the signal aborts. Rejects only when `enqueue` does. */
  run(signal: AbortSignal): Promise<void> {
    return allOrNone(signal, [(life) => this.#poll(life), (life) => this.#sweep.run(life)]);
  }

  status(): TradePollStatus {
    return this.#round.status();
  }

  #poll(signal: AbortSignal): Promise<void> {
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
      retryMs: (failures) => backoffMs(POLL_BACKOFF, failures, random),
      failures: new FailureLog(logger, 'polling round failed; retrying'),
      isFatal: (error) => !signal.aborted && !(error instanceof UpstreamFault),
    });
  }
}

const SWEEP_EVERY_MS = 5 * MINUTE_MS;
/** How far back a sweep reaches. At 38 trades a second a page covers 26 s: the long reach is 274 pages, of 0.2 MB each. */
const REACH_MS = 15 * MINUTE_MS;
/** Every twelfth sweep (each hour) reaches as far back as a trade was ever listed late. */
const LONG_EVERY = 12;
/** Newer trades are left to the rounds. */
const LEFT_TO_ROUNDS_MS = MINUTE_MS;
const LOOK_EVERY_MS = SECOND_MS;
const BACKOFF = { firstMs: 500, mostMs: 30_000 };
const MOST_ATTEMPTS = 6;

type SweepOptions = Pick<TradePollOptions, 'clock' | 'random' | 'logger' | 'knows' | 'enqueue' | 'onListed'>;

/** Ends a sweep because a round catches up. */
class SweepInterrupted extends Error {}

/**
 * Lists the last quarter of an hour again every five minutes, and the last two hours every hour, for trades that the market
 * listed late. Measured lists are complete after 11 s; rows an hour late were reported once. Such a trade is late already,
 * so it is enqueued with its page and does not wait for the end of the sweep.
 */
class TradeSweep {
  readonly #options: SweepOptions;
  readonly #readPage: ReadPage;
  readonly #liveUntil: () => EpochMs | null;
  #isIdle = true;
  #startedAt: EpochMs = 0;
  // The first round reaches back itself.
  #sweeps = 1;

  /** `liveUntil`: up to when rounds have enqueued everything; null while one catches up. */
  constructor(options: SweepOptions, readPage: ReadPage, liveUntil: () => EpochMs | null) {
    this.#options = options;
    this.#readPage = readPage;
    this.#liveUntil = liveUntil;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    return repeat(() => this.#sweepIfLive(signal), {
      clock,
      signal,
      intervalMs: () =>
        this.#isIdle
          ? LOOK_EVERY_MS
          : Math.min(this.#startedAt + SWEEP_EVERY_MS - clock.now(), SWEEP_EVERY_MS),
      failures: new FailureLog(logger, 'sweep of the last hours failed; retrying in 5 minutes'),
      isFatal: (error) => !signal.aborted && !(error instanceof UpstreamFault),
    });
  }

  async #sweepIfLive(signal: AbortSignal): Promise<void> {
    const liveUntil = this.#liveUntil();
    this.#isIdle = liveUntil === null;
    if (liveUntil === null) return;
    this.#startedAt = this.#options.clock.now();
    const until = liveUntil - LEFT_TO_ROUNDS_MS;
    const reachMs = this.#sweeps % LONG_EVERY === 0 ? LISTED_LATE_MS : REACH_MS;
    try {
      await this.#sweep({ from: until - reachMs, until }, signal);
      this.#sweeps += 1;
    } catch (error) {
      if (!(error instanceof SweepInterrupted)) throw error;
    }
  }

  async #sweep({ from, until }: { from: EpochMs; until: EpochMs }, signal: AbortSignal): Promise<void> {
    const { logger, knows, onListed } = this.#options;
    const isInSpan = ({ at }: Trade) => at >= from && at < until;
    let found = 0;
    const { pages } = await walkBack({
      read: (cursor) => this.#read(cursor, signal),
      floor: () => from,
      isNew: (trade) => isInSpan(trade) && !knows(trade),
      keep: 0,
      onPage: async ({ listed, fills }) => {
        for (const { trade } of listed) if (isInSpan(trade)) onListed(trade);
        found += fills.length;
        await enqueueFills(fills, this.#options);
      },
    });
    logger.debug({ pages: pages.length, found }, 'sweep done');
  }

  #read(cursor: PageCursor, signal: AbortSignal): Promise<TradePage> {
    const { clock, random } = this.#options;
    const attempt = async () => {
      if (this.#liveUntil() === null) throw new SweepInterrupted();
      return this.#readPage(cursor, { purpose: 'sweep', signal });
    };
    const isFinal = (error: unknown) => !(error instanceof UpstreamFault);
    return retry(attempt, { clock, signal, backoff: BACKOFF, random, attempts: MOST_ATTEMPTS, isFinal });
  }
}
