import { COSTS, MEASURED } from './costs.ts';

/** The measured costs as Markdown, for docs/capacity.md. */
export function costsTable(): string {
  const { work, sizes } = COSTS;
  const workRows = Object.values(work).map(
    ({ what, mongodb, sqlite, mongod, commands }) =>
      `| ${what} | ${micros(mongodb)} | ${micros(sqlite)} | ${micros(mongod)} | ${commands} |`,
  );
  const sizeRows = Object.values(sizes).map(
    ({ what, memory, mongodb, sqlite }) =>
      `| ${what} | ${bytes(memory)} | ${bytes(mongodb)} | ${bytes(sqlite)} |`,
  );
  return [
    `Measured on ${MEASURED.date} at commit ${MEASURED.commit}: ${MEASURED.machine}.`,
    '',
    '| one | µs of processor, with MongoDB | with SQLite | µs of mongod | its commands |',
    '|---|---|---|---|---|',
    ...workRows,
    '',
    '| one | memory of a process | in MongoDB | in SQLite |',
    '|---|---|---|---|',
    ...sizeRows,
    '',
  ].join('\n');
}

function micros(value: number): string {
  return value.toLocaleString('en-US');
}

function bytes(value: number): string {
  if (value === 0) return '';
  return value < 1e6 ? `${value.toLocaleString('en-US')} B` : `${value / 1e6} MB`;
}
