/** Rounds to decimals; never −0. The two databases add floats in different orders; rounded sums are equal. */
export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}
