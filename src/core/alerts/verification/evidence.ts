import type { EpochMs } from '../../base/time/duration.ts';
import type { JsonObject } from '../log/log-entry.ts';

/** An earlier view of the log, kept by someone else than the operator: this entry had this hash. */
export interface Evidence {
  readonly kind: 'saved' | 'alert' | 'head';
  readonly sequence: number;
  /** The hash, or its beginning where a text showed it shortened: 16 to 64 lower-case hexadecimal digits. */
  readonly hash: string;
  /** Names it in a message, for example `the head that this machine saved on 2026-11-02`. */
  readonly name: string;
  /** When it was current, as far as that is known. */
  readonly at: EpochMs | null;
  /** A moment before which it was received, with all that it states; null where that is not known. */
  readonly receivedBefore: EpochMs | null;
  /** The alert as it was received; null for a bare head. */
  readonly alert: JsonObject | null;
  /** Whether a reader at the free delay saw it, so that every reader sees it now. */
  readonly isDelayed: boolean;
}

/** Hexadecimal digits of a hash that are accepted for the whole. */
export const LEAST_DIGITS = 16;
/** Of a whole hash. */
export const ALL_DIGITS = 64;
