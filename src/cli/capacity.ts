import { UserError } from '../core/base/user-error.ts';
import {
  ASSUMED,
  type Capacity,
  capacityOf,
  type Demand,
  type Part,
} from '../core/operations/capacity/capacity.ts';
import { MEASURED } from '../core/operations/capacity/costs.ts';
import { commandOf } from './command.ts';
import { grouped } from './run-transfer.ts';
import { alignColumns, createTerminal } from './terminal.ts';

const MOST = 1_000_000_000;
const count = (help: string) => ({ type: 'string', value: 'N', help }) as const;
const OPTIONS = {
  clients: count('sockets of the stream that are open at once'),
  'requests-per-second': count('requests of the API in the busiest second'),
  'search-percent': count('how many of these requests search; default 20'),
  'alerts-per-day': count('alerts that are published'),
  webhooks: count('webhooks that get every alert'),
  channels: count('channels of Telegram and Discord in which every alert is posted'),
  keys: count('keys; default: as many as clients'),
  database: { type: 'string', value: 'KIND', help: 'mongodb (default) or sqlite' },
} as const;

export const capacityCommand = commandOf({
  about:
    'What a service needs for a given load: processes, memory, database, and which limit is reached first.',
  usage: 'capacity [--clients N] [--requests-per-second N] [--alerts-per-day N] [--webhooks N] …',
  options: OPTIONS,
  notes: `A count that is not given is 0. The costs were measured on ${MEASURED.date}; docs/capacity.md has them, and the
assumptions. It reads no database.`,
  async run(values) {
    if (Object.keys(values).length === 0)
      throw new UserError(
        'State the load, for example --clients 1000 --alerts-per-day 300. --help lists the options.',
      );
    const terminal = createTerminal(process.stdout);
    for (const line of reportLines(demandOf(values))) terminal.line(line);
  },
});

type Values = { readonly [Name in keyof typeof OPTIONS]?: string };

function demandOf(values: Values): Demand {
  const read = (name: keyof Values, fallback = 0, most = MOST) => {
    const text = values[name];
    if (text === undefined) return fallback;
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (number <= most) return number;
    throw new UserError(`--${name}: expected a number from 0 to ${grouped(most)}, got "${text}"`);
  };
  const { database = 'mongodb' } = values;
  if (database !== 'mongodb' && database !== 'sqlite')
    throw new UserError(`--database: expected mongodb or sqlite, got "${database}"`);
  const clients = read('clients');
  return {
    ...{ database, clients },
    requestsPerSecond: read('requests-per-second'),
    searchShare: read('search-percent', 20, 100) / 100,
    alertsPerDay: read('alerts-per-day'),
    webhooks: read('webhooks'),
    channels: read('channels'),
    keys: read('keys', clients),
  };
}

function reportLines(demand: Demand): readonly string[] {
  const capacity = capacityOf(demand);
  const { roles, mongodCores, databaseBytes } = capacity;
  const used = roles.filter(({ processes }) => processes > 0);
  const memory = used.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  const table = [
    ['role', 'processes', 'cores at the peak', 'memory'],
    ...used.map(({ role, processes, cores, memoryBytes }) => [
      ...[role, String(processes), cores.toFixed(2), bytes(memoryBytes)],
    ]),
  ];
  const [first, ...others] = capacity.parts;
  return [
    ...alignColumns(table),
    '',
    `Memory: ${bytes(memory)} together${mongodCores > 0 ? ', and what mongod is given' : ''}.`,
    ...(mongodCores > 0 ? [`mongod: ${mongodCores.toFixed(2)} cores at the peak.`] : []),
    `Database: ${bytes(databaseBytes.after30Days)} after 30 days, ${bytes(databaseBytes.after365Days)} after 365.`,
    ...advice(capacity, demand),
    '',
    ...(first === undefined ? [] : [`Ends first: ${partText(first)}`]),
    ...others.map((part) => `      then: ${partText(part)}`),
  ];
}

/** One process is enough while it has room for the sockets and uses no more of a core than one of several would. */
function advice({ roles }: Capacity, demand: Demand): readonly string[] {
  const cores = roles.reduce((sum, role) => sum + role.cores, 0);
  const isMore = roles.some(({ processes }) => processes > 1);
  if (roles.length === 1 || isMore || cores > ASSUMED.load) return [];
  // Its memory does not depend on the database.
  const [{ memoryBytes } = { memoryBytes: 0 }] = capacityOf({ ...demand, database: 'sqlite' }).roles;
  return [
    `One process with all roles is enough, with ${bytes(memoryBytes)}; a second one takes over when it dies.`,
  ];
}

function partText({ name, used, limit, unit }: Part): string {
  const share = used / limit;
  const reach = share > 0 ? `, at ${number(1 / share)} times this demand` : '';
  return `${name}: ${number(used)} of ${number(limit)} ${unit}${reach}`;
}

function number(value: number): string {
  return value < 10 ? String(Number(value.toPrecision(2))) : grouped(Math.round(value));
}

function bytes(value: number): string {
  return value < 1e9 ? `${number(value / 1e6)} MB` : `${number(value / 1e9)} GB`;
}
