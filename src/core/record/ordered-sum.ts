/** The sum, the same to the last bit in whatever order the values come: they are sorted before they are added. */
export function orderedSum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

/** The mean, likewise. NaN without values. */
export function orderedMean(values: readonly number[]): number {
  return orderedSum(values) / values.length;
}
