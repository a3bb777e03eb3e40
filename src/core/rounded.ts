/**
 * To so many decimals, and never −0. Databases add floats in their own order; rounded to the precision of the parts,
 * their sums are equal.
 */
export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}
