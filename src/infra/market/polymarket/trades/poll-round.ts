import { LogThrottle } from '../../../../core/base/async/failure-log.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { garbled } from '../client/market-client.ts';
import { FeedSilence, type SilenceVerdict } from './feed-silence.ts';
import { PageSize } from './page-size.ts';
import {
  LIST_LAG_MS,
  LISTED_LATE_MS,
  type PageCursor,
  type TradePage,
  type TradePollOptions,
  type TradePollStatus,
} from './trade-pages.ts';
import { enqueueFills, type Walked, walkBack } from './trade-walk.ts';

/** A round that reaches farther back catches up: nothing newer is enqueued meanwhile. */
const CATCH_UP_MS = 120_000;
const LOG_PROGRESS_EVERY_MS = 10_000;
/** So many of the newest rows show whether the list was rebuilt since the last walk. */
const LOOK: PageCursor = { limit: 5 };
/** The detector recognises trades that it judged in the last 24 hours. */
const KNOWN_MS = 23 * HOUR_MS;
/** A list that ends before the floor is considered whole when the floor is no older than this. */
const WHOLE_MS = 600_000;

type Listed = Walked & { readonly start: EpochMs };

export class PollRound {
  readonly #options: TradePollOptions;
  readonly #read: (cursor: PageCursor, signal: AbortSignal) => Promise<TradePage>;
  readonly #silence: FeedSilence;
  readonly #size = new PageSize();
  /** The newest rows that the last walk began with. */
  #head = '';
  #marks: PollMarks | null = null;
  #earliest: EpochMs | null = null;
  #newestTradeAt: EpochMs | null = null;
  #hasRun = false;
  /** Of a round that catches up: the first half is walking back, the second half is enqueuing. */
  #progress: number | null = null;
  #progressLog: LogThrottle;

  /** `read`: rejects with an `UpstreamFault` when the page is given up. */
  constructor(
    options: TradePollOptions,
    read: (cursor: PageCursor, signal: AbortSignal) => Promise<TradePage>,
  ) {
    this.#options = options;
    this.#read = read;
    this.#silence = new FeedSilence(options);
    this.#progressLog = new LogThrottle(options.clock, LOG_PROGRESS_EVERY_MS);
  }

  get liveUntil(): EpochMs | null {
    return this.#hasRun && this.#progress === null ? (this.#marks?.listedUntil ?? null) : null;
  }

  status(): TradePollStatus {
    const progress = this.#progress;
    const state = progress !== null ? 'catching_up' : this.#hasRun ? 'live' : 'starting';
    const confirmedUntil = this.#marks?.confirmedUntil ?? null;
    return { state, progress, newestTradeAt: this.#newestTradeAt, confirmedUntil };
  }

  /**
   * Looks whether the list was rebuilt, and if so walks back to what is confirmed; in any case once 5 s were not confirmed.
   * Rejects with an `UpstreamFault` when it is given up; the next round finds again what this one had found.
   */
  async run(signal: AbortSignal): Promise<void> {
    const look = this.#marks === null ? null : await this.#read(LOOK, signal);
    const head = look?.fills.map(({ trade }) => fillKey(trade)).join() ?? '';
    if (look !== null && head === this.#head && this.#isConfirmed(look, signal))
      return this.#options.fresh(look.asOf);
    const listed = await this.#list(this.#size.rows, signal);
    if (this.#marks !== null) this.#confirm(this.#marks, listed, this.#silence.classify(signal));
    const { times, floor } = listed;
    this.#size.walked(times, { floor, next: this.#marks?.nextFloor ?? floor });
    this.#head = head;
    this.#progress = null;
    this.#hasRun = true;
  }

  /** Whether a walk would confirm little or nothing more. */
  #isConfirmed({ asOf, ageMs }: TradePage, signal: AbortSignal): boolean {
    const isDue = this.#marks?.isDue(asOf) ?? true;
    return (
      ageMs === 0 && !isDue && this.#progress === null && this.#silence.classify(signal).kind === 'quiet'
    );
  }

  async #list(rows: number, signal: AbortSignal): Promise<Listed> {
    const { knows, wantedFrom, metrics } = this.#options;
    let start = Number.NaN;
    let floor = Number.NaN;
    let since = Number.POSITIVE_INFINITY;
    const isNew = (trade: Trade) => trade.at >= since && !knows(trade);
    const walked = await walkBack({
      first: { limit: rows },
      read: (cursor) => this.#read(cursor, signal),
      // With the newest page the market's time is known.
      floor: (newest) => {
        start = newest.asOf + newest.ageMs;
        floor = this.#floorOf(newest, start);
        this.#earliest = since = Math.max(this.#earliest ?? floor, floor - KNOWN_MS);
        return floor;
      },
      isNew,
      onPage: ({ fills }, { pages, oldestAt }) => {
        this.#report(fills, since);
        this.#silence.listed(
          fills.map(({ trade }) => trade.at),
          start,
        );
        if (oldestAt !== null)
          this.#advance(Math.min((start - oldestAt) / (start - floor), 1) / 2, { pages, oldestAt });
      },
    });
    if (walked.newestAt === null && (this.#newestTradeAt ?? wantedFrom) !== null) throw this.#emptyList();
    this.#newestTradeAt = walked.newestAt ?? this.#newestTradeAt;
    if (walked.known > 0) metrics.feedTrades('known', walked.known);
    await this.#enqueue(walked, async (cursor) => {
      const { fills } = await this.#read(cursor, signal);
      this.#report(fills, since);
      return fills.filter(({ trade }) => isNew(trade));
    });
    return { ...walked, start };
  }

  #report(fills: TradePage['fills'], since: EpochMs): void {
    for (const { trade } of fills) if (trade.at >= since) this.#options.onListed(trade);
  }

  #floorOf({ fills, asOf }: TradePage, start: EpochMs): EpochMs {
    this.#marks ??= new PollMarks(this.#options.wantedFrom);
    const floor = this.#marks.floor(start, asOf);
    const newestAt = fills.reduce((newest, { trade }) => Math.max(newest, trade.at), asOf);
    if (Math.min(newestAt, start) - floor > CATCH_UP_MS) {
      this.#progress = 0;
      // The first line comes after 10 s.
      this.#progressLog = new LogThrottle(this.#options.clock, LOG_PROGRESS_EVERY_MS);
      this.#progressLog.take();
    }
    return floor;
  }

  /** Enqueues the fills of a walk, oldest first. Pages whose fills were not kept are read again in their order. */
  async #enqueue(
    { pages }: Walked,
    readAgain: (cursor: PageCursor) => Promise<TradePage['fills']>,
  ): Promise<void> {
    const dropped = pages.filter(({ fills }) => fills === null).toReversed();
    for (const [index, { cursor }] of dropped.entries()) {
      await enqueueFills(await readAgain(cursor), this.#options);
      const [offered, of] = [index + 1, dropped.length];
      this.#advance(0.5 + offered / of / 2, { offered, of });
    }
    const kept = pages.flatMap(({ fills }) => fills ?? []);
    await enqueueFills(kept, this.#options);
  }

  #advance(done: number, fields: object): void {
    if (this.#progress === null) return;
    this.#progress = Math.min(Math.max(done, this.#progress), 1);
    if (this.#progressLog.take() === null) return;
    const progress = Math.round(this.#progress * 1_000) / 1_000;
    this.#options.logger.info({ progress, ...fields }, 'polling catches up');
  }

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
  #emptyList(): Error {
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

/** A walk comes at the latest when so much is not confirmed that could be: a node is checked by what polling lists. */
const WALK_EVERY_MS = 5 * SECOND_MS;
/** How far before its mark a round reaches, for trades that were listed later than the list's lag. */
const OVERLAP_MS = SECOND_MS;
/** After a longer time without confirmation a round reaches as far as sweeps do, since no sweep ran in that time. */
const LONG_MS = 5 * MINUTE_MS;
const FIRST_REACH_MS = HOUR_MS;
/** `Age` counts whole seconds. */
const AGE_UNIT_MS = SECOND_MS;

/** What a round has shown. `asOf`: the latest moment at which its answers were made; `complete`: how far the market's data reached. */
interface Shown {
  readonly start: EpochMs;
  readonly floor: EpochMs;
  readonly from: EpochMs;
  readonly asOf: EpochMs;
  readonly complete: EpochMs;
  readonly newestAt: EpochMs | null;
}

/**
 * Up to when rounds have listed trades, and up to when that is confirmed: 11 s (the list's own lag) before an answer was
 * made. Answers from a cache may list unknown trades, but confirm nothing.
 */
class PollMarks {
  #confirmedUntil: EpochMs | null;
  #listedUntil: EpochMs | null;

  constructor(wantedFrom: EpochMs | null) {
    this.#confirmedUntil = wantedFrom;
    this.#listedUntil = wantedFrom;
  }

  get confirmedUntil(): EpochMs | null {
    return this.#confirmedUntil;
  }

  get listedUntil(): EpochMs | null {
    return this.#listedUntil;
  }

  /**
   * How far back a round must reach whose answers were made at `asOf`: to the confirmed mark when they can confirm more,
   * since rows may have been listed in between; otherwise to the listed mark, so that old answers make no walk longer.
   */
  floor(start: EpochMs, asOf: EpochMs): EpochMs {
    if (this.#confirmedUntil === null || this.#listedUntil === null) return start - FIRST_REACH_MS;
    const confirmableMs = asOf - LIST_LAG_MS - this.#confirmedUntil;
    if (confirmableMs > LONG_MS) return this.#confirmedUntil - LISTED_LATE_MS;
    const mark = confirmableMs > (asOf < start ? AGE_UNIT_MS : 0) ? this.#confirmedUntil : this.#listedUntil;
    return mark - OVERLAP_MS;
  }

  /** Whether an answer that was made at `asOf` can confirm what a walk is due for. */
  isDue(asOf: EpochMs): boolean {
    const unconfirmedMs = asOf - LIST_LAG_MS - (this.#confirmedUntil ?? Number.NEGATIVE_INFINITY);
    // After the clock was set back, what is confirmed is in the future.
    return Math.abs(unconfirmedMs) >= WALK_EVERY_MS;
  }

  /** How far back a walk reaches that can confirm more. */
  get nextFloor(): EpochMs | null {
    return this.#confirmedUntil === null ? null : this.#confirmedUntil - OVERLAP_MS;
  }

  move({ start, floor, from, asOf, complete, newestAt }: Shown): EpochMs | null {
    const until = Math.min(complete, asOf) - LIST_LAG_MS;
    // A span before the floor of the round stays unconfirmed.
    const isContiguous = this.#confirmedUntil === null || floor <= this.#confirmedUntil;
    // An old answer revokes nothing that a fresh one has confirmed.
    const kept = Math.min(this.#confirmedUntil ?? from, complete - LIST_LAG_MS);
    this.#confirmedUntil = isContiguous ? Math.max(until, kept) : kept;
    // An answer is at least as new as its trades, whatever age it claims. Trades may be dated ahead.
    const listed = Math.max(asOf, Math.min(newestAt ?? asOf, start), this.#listedUntil ?? from);
    this.#listedUntil = Math.min(listed, complete);
    return isContiguous && until > from ? until : null;
  }
}
