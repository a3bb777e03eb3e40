/** Databases add floats in their own order; rounded to the precision of the parts, their sums are equal. */
export function rounded(sum: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(sum * factor) / factor;
}
