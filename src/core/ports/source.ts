import type { EpochMs, Row } from '../trade.ts';

/** A row with where the source stands after it. */
export interface SourceRow {
  readonly row: Row;
  /** Bytes of the (uncompressed) source consumed once this row is done. */
  readonly offset: number;
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
  /** The checkpoint that resumes after the row with this offset. */
  checkpoint(offset: number): Checkpoint;
  /** Ends by itself when a tape is finished; never ends for a live source until the signal aborts. */
  batches(signal: AbortSignal): AsyncIterable<readonly SourceRow[]>;
  status(): SourceStatus;
}

/** How far a source is. */
export interface SourceStatus {
  /** `starting` until the first trade; `history` while rows before the pivot pass. */
  readonly state: 'starting' | 'history' | 'playing' | 'at_end' | 'finished';
  /** 0 to 1 where the length is known, of the whole tape and of its history. */
  readonly progress: number | null;
  readonly historyProgress: number | null;
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
  | 'repeat';
