import type { Lease } from '../lease/lease-store.ts';
import type { EpochMs, Row, Trade, TradeSource } from '../trade.ts';

/** A row with where the source stands after it. */
export interface SourceRow {
  readonly row: Row;
  /** Bytes of the (uncompressed) source consumed once this row is done; on a journal, the row's position. */
  readonly offset: number;
  /** When a live feed accepted the row, by the wall clock then: the source's time never runs ahead of it. */
  readonly acceptedAt?: EpochMs;
}

/** A row of a live feed, with the line of a tape it was read from. */
export interface LiveRow {
  readonly row: Row;
  /** Parsed again it gives the same row (tape-format). Without a line end. */
  readonly line: string;
}

/** What a live feed asks of the detector, so that it hands over no trade twice and asks for no facts in vain. */
export interface Knowledge {
  /** The source's time: the largest row time judged so far. */
  readonly time: EpochMs;
  /** Whether this fill was judged, as far as that matters: one of 24 hours ago or more would not be judged any more. */
  hasSeen(fill: Trade): boolean;
  /** Whether this fill (or order, as one trade) could lead to an alert once its wallet is known to be fresh. */
  mayAlert(fill: Trade): boolean;
  /**
   * Whether this fill (or order, as one trade) could lead to an alert, now or as a part of a later one, and the wallet's
   * facts are not known.
   * `alsoBought`: USDC the wallet bought in fills that are handed over and not judged yet.
   */
  needsFacts(fill: Trade, alsoBought: number): boolean;
  /** Whether the wallet's age and markets are known, and it may still be fresh. */
  hasFacts(wallet: string): boolean;
  /** Whether the market's own row was judged. */
  knowsMarket(marketId: string): boolean;
}

/** Where the rows of a live market come from. What it hands over is journalled before it is judged. */
export interface LiveFeed {
  /** Stable name, under which the checkpoint is kept. */
  readonly name: string;
  /**
   * Rows as they become known, in the order to be judged. Asked for the next batch only once the last one is journalled
   * and judged. Ends only when the signal aborts; throws when the feed cannot go on.
   */
  batches(signal: AbortSignal, knowledge: Knowledge): AsyncIterable<readonly LiveRow[]>;
  status(): SourceStatus;
}

/**
 * What the source knows of its own place. `identity` recognises the file; `mapping` is null before the first run
 * of a replay fixed it, and for sources whose published time is the wall clock.
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
 * pace (0: the constant goes on). `published(t) = origin + (t <= pivot || speed == 0 ? t - pivot : (t - pivot) / speed)`.
 */
export interface TimeMapping {
  readonly pivot: EpochMs;
  readonly origin: EpochMs;
  readonly speed: number;
  /** Rows before the pivot are history. */
  readonly hasHistory: boolean;
}

/** Where rows come from. Rows arrive in batches so that the way of a trade costs no await of its own. */
export interface Source {
  /** Stable name, kept with the checkpoint, for example `replay:midterms-2022.jsonl.gz`. */
  readonly name: string;
  /** Whether a wallet's first trade here is its first ever (tape-format.md, header `history`). */
  readonly isComplete: boolean;
  /** True when published times are the wall clock's (tail, live); otherwise they are the mapped tape time. */
  readonly isLive: boolean;
  /** The mapping in force; null when published time is the wall clock. */
  readonly mapping: TimeMapping | null;
  /**
   * Rows up to this offset were judged by an earlier run, and are read again only for the detector's state; 0 or absent
   * when there are none, as in a file that took the other's place. Holds for the batch handed over last.
   */
  readonly judgedUpTo?: number;
  /** The checkpoint that resumes after the row with this offset. */
  checkpoint(offset: number): Checkpoint;
  /**
   * Ends by itself when a tape is finished; never ends for a live source until the signal aborts. Where no row follows
   * that would close the orders before it, a close row does, with the offset of the row before it.
   */
  batches(signal: AbortSignal, run: SourceRun): AsyncIterable<readonly SourceRow[]>;
  /** Told after each snapshot: no start goes back to the rows up to this offset. */
  forget?(offset: number): void;
  status(): SourceStatus;
}

/** What a live source needs for one run: the right to write its journal, and what the detector knows. */
export interface SourceRun {
  readonly lease: Lease;
  readonly knowledge: Knowledge;
}

/** A source that is a journal itself, so that it can be read by anyone. */
export interface TapeSource extends Source {
  batches(signal: AbortSignal): AsyncIterable<readonly SourceRow[]>;
}

/** The wallet whose trades wait longest, and how its facts stand. */
export interface OldestWaiting {
  readonly wallet: string;
  /** Time of its oldest trade that waits. */
  readonly at: EpochMs;
  readonly trades: number;
  /** `unsettled`: they may never come. `settled`: its trades wait for a market, or behind others. */
  readonly facts: 'asked' | 'failing' | 'unsettled' | 'settled';
}

/** Markets whose descriptions trades without words of their own wait for. */
export interface UndescribedStatus {
  readonly markets: number;
  /** The one asked for the longest, and since when; null when there is none. */
  readonly oldest: { readonly marketId: string; readonly since: EpochMs } | null;
  /** Markets that were named by their ids: after 20 hours, or when no more trades could wait. */
  readonly givenUp: number;
}

/** Trades of a live feed that wait for what they need to be judged. */
export interface WaitingStatus {
  readonly trades: number;
  readonly wallets: number;
  /** Questions about wallets without an answer. */
  readonly asking: number;
  /** Wallets whose trades went on without facts: after 20 hours or all attempts, or when no more trades could wait. */
  readonly givenUp: number;
  /** Null when nothing waits. */
  readonly oldest: OldestWaiting | null;
  readonly undescribed: UndescribedStatus;
}

/** Where the sources of trades of a live feed stand. */
export interface TradeSourcesStatus {
  readonly leader: TradeSource;
  /** Trades that other sources have shown and that wait for the leader. */
  readonly held: number;
  readonly stream: {
    readonly isOpen: boolean;
    /** Part of the trades listed lately that it had shown before, 0 to 1. */
    readonly completeness: number;
  };
  /** Null without a node of the chain. */
  readonly node: {
    readonly isAtHead: boolean;
    readonly headAt: EpochMs | null;
    readonly waitingForToken: number;
    readonly oldestUnknownToken: { readonly tokenId: string; readonly since: EpochMs } | null;
    /** Trades that a reorganisation removed. */
    readonly removed: number;
  } | null;
}

/** How far a source is. */
export interface SourceStatus {
  /**
   * `starting` until the first trade, or until a live feed has looked once; `history` while rows before the pivot pass,
   * `catching_up` while a live feed reads what it missed.
   */
  readonly state: 'starting' | 'history' | 'catching_up' | 'playing' | 'at_end' | 'finished';
  /** 0 to 1 where the length is known, of the whole tape (of what is caught up with) and of its history. */
  readonly progress: number | null;
  readonly historyProgress: number | null;
  /** Of a live feed. */
  readonly waiting?: WaitingStatus;
  readonly sources?: TradeSourcesStatus;
}

/** Why a row was not used. The closed set of labels of `tipoff_rows_dropped_total`. */
export type DropReason =
  | 'not_json'
  | 'too_long'
  | 'unknown_kind'
  | 'missing_field'
  | 'wrong_type'
  | 'bad_price'
  | 'bad_size'
  | 'bad_time'
  | 'late'
  | 'repeat'
  | 'unknown_fill';
