import { utcMinute } from '../../src/core/alerts/alert-words.ts';

const LINE_LENGTH = 160;
/** A larger number is a time: no check counts that far. */
const FIRST_MOMENT = Date.UTC(2020);

/** The checks of a process as text, a line each: `database: ok`, `ingest: state running, lag 2`. */
export function checkLines(checks: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(checks).map(([name, value]) => {
    const line = `${name}: ${summaryOf(value) ?? words(value)}`;
    return line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH - 1)}…`;
  });
}

/** The summary of a check that has one. */
function summaryOf(check: unknown): string | null {
  const summary = (check as { details?: { summary?: unknown } } | null)?.details?.summary;
  return typeof summary === 'string' ? summary : null;
}

function words(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(words).join(', ');
  if (typeof value === 'number' && value > FIRST_MOMENT) return utcMinute(value);
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value);
  const told = entries.filter(([, inner]) => inner !== null);
  return (told.length === 0 ? entries : told)
    .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${words(inner)}`)
    .join(', ');
}
