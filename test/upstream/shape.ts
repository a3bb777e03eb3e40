type Fields = Readonly<Record<string, unknown>>;

/** What differs in shape: fields that only one of them has, and other types. A row of a list is as one of the other's is. */
export function shapeDifferences(expected: unknown, given: unknown, path = ''): readonly string[] {
  const types = [typeOf(expected), typeOf(given)];
  if (types[0] !== types[1]) return [`${path} is ${types[1]}, not ${types[0]}`];
  if (Array.isArray(expected) && Array.isArray(given))
    return given.flatMap((row, n) => closest(expected, row, `${path}[${n}]`));
  if (types[0] !== 'object') return [];
  const [wanted, found] = [expected as Fields, given as Fields];
  const missing = Object.keys(wanted).filter((name) => !(name in found));
  const added = Object.keys(found).filter((name) => !(name in wanted));
  const both = Object.keys(wanted).filter((name) => name in found);
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...added.map((name) => `${path}.${name} is unknown`),
    ...both.flatMap((name) => shapeDifferences(wanted[name], found[name], `${path}.${name}`)),
  ];
}

function closest(expected: readonly unknown[], row: unknown, path: string): readonly string[] {
  const found = expected.map((each) => shapeDifferences(each, row, path));
  return found.toSorted((a, b) => a.length - b.length)[0] ?? [`${path} is in no list of the other`];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
