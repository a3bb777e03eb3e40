/** The place where the log, or what it is compared with, does not hold. */
export interface LogMismatch {
  /** The entry; null where it is not one entry. */
  readonly sequence: number | null;
  /** What does not hold, in a few words. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}
