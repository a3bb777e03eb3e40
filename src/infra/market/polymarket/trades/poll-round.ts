import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { retry } from '../../../../core/base/async/retry.ts';
import { type EpochMs, HOUR_MS } from '../../../../core/base/time/duration.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { garbled, UpstreamFault } from '../client/market-client.ts';
import { blindCauseOf } from '../client/route-health.ts';
import { CatchUpProgress } from './catch-up-progress.ts';
import { FeedSilence, type SilenceVerdict } from './feed-silence.ts';
import { FirstListings, PollMarks, type Shown } from './poll-marks.ts';
import type { ListedFill } from './trade-line.ts';
import { LIST_LAG_MS, type PageCursor, type ReadPage, type TradePage } from './trade-pages.ts';
import { POLL_BACKOFF, type TradePollOptions, type TradePollStatus } from './trade-poll-options.ts';
import { enqueueFills, type Walked, type WalkedPage, walkBack } from './trade-walk.ts';

/** A round that reaches farther back catches up: nothing newer is enqueued meanwhile. */
const CATCH_UP_MS = 120_000;
/** The detector recognises trades that it judged in the last 24 hours. */
const KNOWN_MS = 23 * HOUR_MS;
/** A list that ends before the floor is considered whole when the floor is no older than this. */
const WHOLE_MS = 600_000;
/** A page that is refused as a bad request so often in a row ends the walk: its cursor is no longer known. */
const MOST_BAD_REQUESTS = 3;

/** A walk, and when its first page was requested. */
type Listed = Walked & { readonly start: EpochMs };

/** Walks from the newest page back to what is known, and enqueues what it found. */
export class PollRound {
  readonly #options: TradePollOptions;
  readonly #readPage: ReadPage;
  readonly #silence: FeedSilence;
  readonly #catchUp: CatchUpProgress;
  readonly #firstListings = new FirstListings();
  #marks: PollMarks | null = null;
  /** Trades before this moment are ignored. */
  #earliest: EpochMs | null = null;
  #newestTradeAt: EpochMs | null = null;
  #hasRun = false;

  constructor(options: TradePollOptions, readPage: ReadPage) {
    this.#options = options;
    this.#readPage = readPage;
    this.#silence = new FeedSilence(options);
    this.#catchUp = new CatchUpProgress(options.clock, options.logger);
  }

  /** Up to when rounds have enqueued everything; null while one catches up. */
  get liveUntil(): EpochMs | null {
    return this.#hasRun && this.#catchUp.progress === null ? (this.#marks?.listedUntil ?? null) : null;
  }

  status(): TradePollStatus {
    const { progress } = this.#catchUp;
    const state = progress !== null ? 'catching_up' : this.#hasRun ? 'live' : 'starting';
    const confirmedUntil = this.#marks?.confirmedUntil ?? null;
    return { state, progress, newestTradeAt: this.#newestTradeAt, confirmedUntil };
  }

  /** Rejects with an `UpstreamFault` when it is given up; the next round finds again what this one had found. */
  async run(signal: AbortSignal): Promise<void> {
    const listed = await this.#list(signal);
    if (this.#marks !== null) this.#confirm(this.#marks, listed, this.#silence.classify(signal));
    this.#catchUp.end();
    this.#hasRun = true;
  }

  /** Enqueues what the market lists from the floor on. */
  async #list(signal: AbortSignal): Promise<Listed> {
    const { knows, wantedFrom, metrics, onListed } = this.#options;
    let start = Number.NaN;
    let since = Number.POSITIVE_INFINITY;
    // With the newest page the market's time is known.
    const floor = (newest: TradePage) => {
      start = newest.asOf + newest.ageMs;
      const at = this.#floorOf(newest, start);
      this.#earliest = since = Math.max(this.#earliest ?? at, at - KNOWN_MS);
      return at;
    };
    const isNew = (trade: Trade) => trade.at >= since && !knows(trade);
    const read = (cursor: PageCursor) => this.#read(cursor, signal);
    const report = (fills: readonly ListedFill[]) => {
      for (const { trade } of fills) if (trade.at >= since) onListed(trade);
    };
    const walked = await walkBack({
      read,
      floor,
      isNew,
      onPage: (page) => {
        report(page.listed);
        this.#silence.traded(this.#firstListings.timesOf(page.listed), start);
        this.#catchUp.walked(page);
      },
    });
    if (walked.newestAt === null && (this.#newestTradeAt ?? wantedFrom()) !== null) throw this.#emptyList();
    this.#newestTradeAt = walked.newestAt ?? this.#newestTradeAt;
    if (walked.known > 0) metrics.feedTrades('known', walked.known);
    await this.#enqueue(walked.pages, async (cursor) => {
      const { fills } = await read(cursor);
      report(fills);
      return fills.filter(({ trade }) => isNew(trade));
    });
    return { ...walked, start };
  }

  #floorOf({ fills, asOf }: TradePage, start: EpochMs): EpochMs {
    this.#marks ??= new PollMarks(this.#options.wantedFrom());
    const floor = this.#marks.floor(start, asOf);
    const newestAt = fills.reduce((newest, { trade }) => Math.max(newest, trade.at), asOf);
    if (Math.min(newestAt, start) - floor > CATCH_UP_MS) this.#catchUp.begin({ floor, start });
    return floor;
  }

  /** Enqueues the fills of a walk, oldest first. Pages whose fills were not kept are read again in their order. */
  async #enqueue(
    pages: readonly WalkedPage[],
    readAgain: (cursor: PageCursor) => Promise<readonly ListedFill[]>,
  ): Promise<void> {
    const dropped = pages.filter(({ fills }) => fills === null).toReversed();
    for (const [index, { cursor }] of dropped.entries()) {
      await enqueueFills(await readAgain(cursor), this.#options);
      this.#catchUp.enqueued(index + 1, dropped.length);
    }
    const kept = pages.flatMap(({ fills }) => fills ?? []);
    await enqueueFills(kept, this.#options);
  }

  /** Reads a page, and retries until it is there: cursors are stable, so what the walk has found is kept. */
  #read(cursor: PageCursor, signal: AbortSignal): Promise<TradePage> {
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
    return retry(attempt, { clock, signal, backoff: POLL_BACKOFF, random, failures, isFinal });
  }

  /** Records what the round has shown. */
  #confirm(marks: PollMarks, listed: Listed, verdict: SilenceVerdict): void {
    const { failed, fresh, confirmed } = this.#options;
    if (verdict.kind === 'unclear') return;
    const shown = shownBy(listed, verdict);
    if (verdict.kind === 'stalled') failed('stalled', shown.complete - LIST_LAG_MS);
    const until = marks.move(shown);
    fresh(Math.min(shown.asOf, shown.complete));
    if (until !== null) confirmed({ from: shown.from, until });
    if (shown.asOf < shown.start) failed('stalled');
  }

  /** A market that was watched before has had trades and lists those of a month, so an empty list is not an answer. */
  #emptyList(): UpstreamFault {
    this.#options.failed('failing');
    return garbled('empty list of trades from a market that has traded before');
  }
}

/** The span of which the walk has shown everything: never beyond the moment at which its answers were made. */
function shownBy(listed: Listed, verdict: SilenceVerdict): Shown {
  const { start, floor, hasReachedFloor, oldestAt, newestAt, asOf } = listed;
  const isWhole = hasReachedFloor || start - floor <= WHOLE_MS;
  const complete = verdict.kind === 'stalled' ? Math.min(verdict.until, start) : start;
  const from = isWhole ? floor : Math.max(oldestAt ?? floor, floor);
  return { start, floor, from, asOf: Math.min(asOf, start), complete, newestAt };
}
