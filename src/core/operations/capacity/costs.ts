/** Cost of one piece of work. Times are microseconds of processor time. */
interface WorkCost {
  readonly what: string;
  /** Of the service's process, on each database. */
  readonly mongodb: number;
  readonly sqlite: number;
  /** Of mongod. */
  readonly mongod: number;
  /** Commands that mongod gets. */
  readonly commands: number;
}

/** Size of one item, in bytes. 0: it takes no space of its own. */
interface SizeCost {
  readonly what: string;
  readonly memory: number;
  readonly mongodb: number;
  readonly sqlite: number;
}

/** Where and when the costs were measured. */
export const MEASURED = {
  date: '2026-11-27',
  commit: 'd0eaa6c9',
  machine: '2 cores of an AMD EPYC, Node.js 24.21',
};

/** Measured by the benchmarks; docs/capacity.md says how. */
const WORK = {
  latest: work('a request of `/alerts/latest`', 60, 60, 4, 0.01),
  search: work('a search, a page of `/alerts`', 1_300, 220, 480, 2.1),
  firstCheck: work('the first request with a key, which argon2 verifies', 20_000, 20_000, 1_000, 2.1),
  limitedCheck: work('the limit of a key, which all processes share, besides the request', 800, 0, 320, 1),
  frame: work('a frame: an alert to one socket', 9, 9, 0, 0),
  socketSecond: work('a second of an open socket, with its pings', 6, 6, 0, 0),
  processSecond: work('a second of a process at rest', 45_000, 20_000, 14_000, 40),
  row: work('a trade that is judged', 5.6, 5.6, 0, 0),
  alert: work('an alert: judged, written, logged, announced', 7_300, 600, 3_400, 9.4),
  delivery: work('a delivery to a webhook', 290, 130, 100, 0.04),
  message: work('a message of a bot, and the answer to it', 5_500, 2_700, 2_900, 11),
};

/** The same in bytes. */
const SIZES = {
  process: size('a process', 210e6, 0, 0),
  detector: size('the detector, at the market’s volume', 610e6, 0, 0),
  journal: size('the journal of trades, 24 hours', 0, 530e6, 530e6),
  socket: size('an open socket', 12_000, 0, 0),
  alert: size('an alert, with its entry in the log and its market’s observations', 27, 1_600, 4_500),
  delivery: size('a delivery, kept for 7 days', 0, 170, 300),
  key: size('a key', 0, 270, 330),
};

/** Cost of each piece of work, and size of each item. */
export interface Costs {
  readonly work: Readonly<Record<keyof typeof WORK, WorkCost>>;
  readonly sizes: Readonly<Record<keyof typeof SIZES, SizeCost>>;
}

/** The measured costs. */
export const COSTS: Costs = { work: WORK, sizes: SIZES };

function work(what: string, mongodb: number, sqlite: number, mongod: number, commands: number): WorkCost {
  return { what, mongodb, sqlite, mongod, commands };
}

function size(what: string, memory: number, mongodb: number, sqlite: number): SizeCost {
  return { what, memory, mongodb, sqlite };
}

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
