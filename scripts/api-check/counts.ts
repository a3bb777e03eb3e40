/** What a run of schemathesis counted. */
export interface Counts {
  readonly cases: number;
  /** By the name of the check. */
  readonly checks: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  /** Answers by status, to requests that are valid by the document and to those that are not. */
  readonly valid: Readonly<Record<string, number>>;
  readonly invalid: Readonly<Record<string, number>>;
}

export const NO_COUNTS: Counts = { cases: 0, checks: {}, failures: {}, valid: {}, invalid: {} };

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    cases: one.cases + other.cases,
    checks: sums(one.checks, other.checks),
    failures: sums(one.failures, other.failures),
    valid: sums(one.valid, other.valid),
    invalid: sums(one.invalid, other.invalid),
  };
}

/** One line: cases, checks, failures, and the answers by status. */
export function describeCounts({ cases, checks, failures, valid, invalid }: Counts): string {
  const kinds = `${total(checks)} checks of ${Object.keys(checks).length} kinds`;
  const failed = total(failures) === 0 ? '0 failures' : `${total(failures)} failures (${listed(failures)})`;
  return [`${cases} cases`, kinds, failed, `valid ${listed(valid)}`, `invalid ${listed(invalid)}`].join('; ');
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
}

export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function sums(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
