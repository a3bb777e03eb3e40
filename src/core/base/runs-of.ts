/** Splits sorted items into runs of neighbours for which `isSame` holds. Keeps the order; no run is empty. */
export function runsOf<T>(sorted: readonly T[], isSame: (first: T, other: T) => boolean): readonly T[][] {
  const runs: T[][] = [];
  for (const item of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && isSame(run[0] as T, item)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}
