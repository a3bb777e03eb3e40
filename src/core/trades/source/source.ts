import type { Lease } from '../../base/lease/lease.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { BlindCause, FactsDelayed } from '../coverage/blind-window.ts';
import type { UnwatchedVolume } from '../coverage/unwatched-volume.ts';
import type { Row, Trade, TradeSource } from '../trade.ts';

/** A row with the source's position after it. */
export interface SourceRow {
  readonly row: Row;
  /** Bytes of the (uncompressed) source up to the end of this row; in a journal, the row's position. */
  readonly offset: number;
  /** Wall clock time at which a live feed accepted the row: an upper bound of the source's time. */
  readonly acceptedAt?: EpochMs;
}

/** A row of a live feed, with its line of a tape. */
export interface LiveRow {
  readonly row: Row;
  /** Parsing it gives the same row (tape-format). Without a line end. */
  readonly line: string;
}

/** What the detector knows, so that a live feed passes on no trade twice and loads no facts that are not needed. */
export interface Knowledge {
  /** The source's time: the largest row time judged so far. */
  readonly time: EpochMs;
  /** Whether this fill was judged, or is older than 24 hours and so will no longer be judged. */
  hasSeen(fill: Trade): boolean;
  /** Whether this fill (or order, as one trade) could lead to an alert once its wallet is known to be fresh. */
  mayAlert(fill: Trade): boolean;
  /**
   * Whether this fill (or order, as one trade) could lead to an alert, now or as a part of a later one, and the wallet's
   * facts are not known.
   * `alsoBought`: USDC the wallet bought in fills that are passed on and not judged yet.
   */
  needsFacts(fill: Trade, alsoBought: number): boolean;
  /** Whether the wallet's age and markets are known, and it may still be fresh. */
  hasFacts(wallet: string): boolean;
  knowsMarket(marketId: string): boolean;
}

/** The rows of a live market. They are journalled before they are judged. */
export interface LiveFeed {
  /** Stable name, under which the checkpoint is stored. */
  readonly name: string;
  /**
   * Rows as they become known, in the order in which they must be judged. The next batch is requested after the last one is
   * journalled and judged. Ends only when the signal aborts; throws when the feed cannot continue.
   */
  batches(signal: AbortSignal, knowledge: Knowledge): AsyncIterable<readonly LiveRow[]>;
  status(): SourceStatus;
}

/**
 * A position in a source. `identity` recognises the file; `mapping` is null before the first run of a replay has fixed it,
 * and for sources whose published time is the wall clock.
 */
export interface Checkpoint {
  readonly offset: number;
  readonly identity: string;
  readonly mapping: TimeMapping | null;
  /** When a tape that keeps its own published times is played at a speed: `published(t)` is when row `t` is due. */
  readonly pace?: TimeMapping | null;
}

/**
 * How a tape's time becomes published time: up to `pivot` by adding a constant, after it at `speed` times its own
 * pace (0: the constant continues). `published(t) = origin + (t <= pivot || speed == 0 ? d : d / speed)`, where `d` is `t - pivot`
 * without the part of it that is skipped.
 */
export interface TimeMapping {
  readonly pivot: EpochMs;
  readonly origin: EpochMs;
  readonly speed: number;
  /** Rows before the pivot are history. */
  readonly hasHistory: boolean;
  /** Stretches after the pivot that take no time, ascending, without overlaps. Absent: none. */
  readonly skips?: readonly TapeSpan[];
}

/** A stretch of a tape, in its time. */
export interface TapeSpan {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** Where rows come from. They arrive in batches, so that a row costs no `await` of its own. */
export interface Source {
  /** Stable name, stored with the checkpoint, for example `replay:midterms-2022.jsonl.gz`. */
  readonly name: string;
  /** Whether a wallet's first trade here is its first ever (tape-format.md, header `history`). */
  readonly isComplete: boolean;
  /** True when published times are wall clock times (tail, live); otherwise they are mapped tape times. */
  readonly isLive: boolean;
  /** The mapping in force; null when published time is the wall clock. */
  readonly mapping: TimeMapping | null;
  /**
   * Rows up to this offset were judged by an earlier run and are read again only for the detector's state; 0 or absent when
   * there are none, as in a file that replaced the earlier one. Refers to the latest batch.
   */
  readonly judgedUpTo?: number;
  /** The checkpoint that resumes after the row with this offset. */
  checkpoint(offset: number): Checkpoint;
  /**
   * Ends at the end of a finished tape; a live source ends only when the signal aborts. Where no row follows that would
   * close the pending orders, a close row does, with the offset of the row before it.
   */
  batches(signal: AbortSignal, run: SourceRun): AsyncIterable<readonly SourceRow[]>;
  /** Called after each snapshot: rows up to this offset are no longer needed for a start. */
  forget?(offset: number): void;
  status(): SourceStatus;
}

/** What a live source needs for one run: the lease to write its journal, and the detector's knowledge. */
export interface SourceRun {
  readonly lease: Lease;
  readonly knowledge: Knowledge;
}

/** A source that is stored already and needs no lease to be read. */
export interface TapeSource extends Source {
  batches(signal: AbortSignal): AsyncIterable<readonly SourceRow[]>;
}

/** The wallet whose trades wait longest, and the state of its facts. */
export interface OldestWaiting {
  readonly wallet: string;
  /** Time of its oldest waiting trade. */
  readonly at: EpochMs;
  readonly trades: number;
  /** `unsettled`: they may never come. `settled`: its trades wait for a market, or for other trades. */
  readonly facts: 'asked' | 'failing' | 'unsettled' | 'settled';
}

/** Markets for whose description trades without a title of their own wait. */
export interface UndescribedStatus {
  readonly markets: number;
  /** The one requested longest ago; null when there is none. */
  readonly oldest: { readonly marketId: string; readonly since: EpochMs } | null;
  /** Markets that were named by their ids: after 20 hours, or when no more trades could wait. */
  readonly givenUp: number;
}

/** Trades of a live feed that wait for facts or descriptions. */
export interface WaitingStatus {
  readonly trades: number;
  readonly wallets: number;
  /** Requests for wallet facts without an answer. */
  readonly asking: number;
  /** Wallets whose trades continued without facts: after 20 hours or all attempts, or when no more trades could wait. */
  readonly givenUp: number;
  /** Null when nothing waits. */
  readonly oldest: OldestWaiting | null;
  readonly factsDelayed: FactsDelayed | null;
  readonly undescribed: UndescribedStatus;
}

/** State of a live feed's sources of trades. */
export interface TradeSourcesStatus {
  readonly leader: TradeSource;
  /** It shows no trades, only that there are some. */
  readonly stream: { readonly isOpen: boolean };
  /** Null without a node of the chain. */
  readonly node: {
    readonly isAtHead: boolean;
    readonly headAt: EpochMs | null;
    readonly waitingForToken: number;
    readonly oldestUnknownToken: { readonly tokenId: string; readonly since: EpochMs } | null;
    readonly removed: number;
    /** Until when it is left alone because it refused requests; null: it is not. */
    readonly pausedUntil: EpochMs | null;
    /** Null while nothing was measured. */
    readonly unwatched: UnwatchedVolume | null;
  } | null;
}

/** Progress of a source. */
export interface SourceStatus {
  /**
   * `starting` until the first trade, or until a live feed has polled once; `history` during the rows before the pivot;
   * `catching_up` while a live feed reads what it missed.
   */
  readonly state: 'starting' | 'history' | 'catching_up' | 'playing' | 'at_end' | 'finished';
  /** 0 to 1 where the length is known: of the whole tape (or of the rows to catch up with), and of its history. */
  readonly progress: number | null;
  readonly historyProgress: number | null;
  /** Of a live feed. */
  readonly waiting?: WaitingStatus;
  readonly sources?: TradeSourcesStatus;
  /** Why polling failed last; null once something newer was confirmed. */
  readonly failure?: BlindCause | null;
}

/** Why a row was dropped. The closed set of labels of `tipoff_rows_dropped_total`. */
export const DROP_REASONS = [
  'not_json',
  'too_long',
  'unknown_kind',
  'missing_field',
  'wrong_type',
  'bad_price',
  'bad_size',
  'bad_time',
  'late',
  'repeat',
  'unknown_fill',
  'combo',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** How far a source has come, as its last snapshot states it. */
export interface SourceProgress {
  /** The source's time up to which its prices are stored; 0 before the first row. */
  readonly time: EpochMs;
  readonly mapping: TimeMapping | null;
}

/** The published time of a tape time. Depends only on the two. */
export function publishedTime(mapping: TimeMapping, tapeTime: EpochMs): EpochMs {
  const { pivot, origin, speed, skips = [] } = mapping;
  const skipped = skips.reduce(
    (sum, { from, until }) => sum + Math.max(0, Math.min(tapeTime, until) - from),
    0,
  );
  const distance = tapeTime - pivot - skipped;
  const scaled = distance <= 0 || speed === 0 ? distance : distance / speed;
  return origin + Math.floor(scaled);
}

/** A tape time that has been published by then; everything published at least a millisecond earlier lies before it. */
export function tapeTime(mapping: TimeMapping, published: EpochMs): EpochMs {
  const { pivot, origin, speed, skips = [] } = mapping;
  const distance = published - origin;
  const scaled = distance <= 0 || speed === 0 ? distance : distance * speed;
  const played = pivot + Math.floor(scaled);
  return skips.reduce((time, { from, until }) => (time < from ? time : time + until - from), played);
}

/** Whether a tape time lies in the history before the start of the run. */
export function isHistoryTime(mapping: TimeMapping, tapeTime: EpochMs): boolean {
  return mapping.hasHistory && tapeTime < mapping.pivot;
}
