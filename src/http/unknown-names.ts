const NAMES = 20;
const NAME_LENGTH = 64;

/** The names of a query that nobody knows, fit for a header; null when there is none. */
export function unknownNames(query: object, known: object): string | null {
  const names = Object.keys(query).filter((name) => !Object.hasOwn(known, name));
  if (names.length === 0) return null;
  return names
    .slice(0, NAMES)
    .map((name) => encodeURIComponent(name.slice(0, NAME_LENGTH).toWellFormed()))
    .join(', ');
}
