/** A mutant that changes nothing that can be observed, and why. */
interface Equivalent {
  /** Below src/core. */
  readonly file: string;
  /** The line in which it begins. */
  readonly line: string;
  /** As the survivors are printed. */
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [];
