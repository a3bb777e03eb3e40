const MOST_EDITS = 2;

/**
 * The name that a misspelt one probably means: one that it begins, or the nearest within `mostEdits` changes of a letter. Null
 * when there is none.
 */
export function nearestName(
  given: string,
  names: readonly string[],
  mostEdits: number = MOST_EDITS,
): string | null {
  const begun = names.find((name) => given.length > 1 && name.startsWith(given));
  if (begun !== undefined) return begun;
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(given, name) }))
    .filter(({ edits, name }) => edits <= mostEdits && edits < name.length)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name ?? null;
}

/** The Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
