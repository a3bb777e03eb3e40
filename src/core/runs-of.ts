/** The neighbours that belong together, of items that are sorted by what they share. Never empty runs; in the same sequence. */
export function runsOf<T>(sorted: readonly T[], isSame: (first: T, other: T) => boolean): readonly T[][] {
  const runs: T[][] = [];
  for (const item of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && isSame(run[0] as T, item)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}
