import type { Declaration } from '../stores/collection.ts';
import type { Scalar } from '../stores/filter.ts';
import { declarations } from '../stores/plain-stores.ts';

/** A row in the form that both databases share. */
export type TableRow = Readonly<Record<string, unknown>>;
/** The key of the last row that was read: the values of the table's key. */
export type TablePosition = readonly Scalar[];

/**
 * What a row is in each database: that of its declaration, or with more. `alert`: the alert. `key`: with the requests of
 * former secrets. `snapshot`: in MongoDB a field of the ingest lease. `lease`: only its epoch, held by no process.
 */
type RowForm = 'declared' | 'alert' | 'key' | 'snapshot' | 'lease';

/** A table that a transfer copies. */
export interface TransferTable {
  readonly name: string;
  readonly form: RowForm;
  readonly declaration: Declaration<Record<string, unknown>>;
  /** Rows in one read and one write. */
  readonly batch: number;
}

const EPOCH = { mongoExtras: { epoch: 0 } } as const;

/** Tables that have stores of their own in each database, as rows. Documents of MongoDB have the epoch of a lease. */
const SPECIAL = [
  {
    name: 'snapshots',
    fields: { source: 'text', checkpoint: 'text', sets: 'json?' },
    key: ['source'],
  },
  {
    name: 'snapshot_chunks',
    fields: { version: 'text', position: 'integer', source: 'text', text: 'text' },
    columns: { version: 'set_id' },
    key: ['version', 'position'],
    separator: '/',
    ...EPOCH,
  },
  {
    name: 'observed_markets',
    fields: { marketId: 'text', number: 'integer', isOpen: 'boolean', body: 'text' },
    key: ['marketId'],
    ...EPOCH,
  },
  { name: 'observed_hours', fields: { key: 'integer', text: 'bytes' }, key: ['key'], ...EPOCH },
  { name: 'alerts', fields: { id: 'integer' }, key: ['id'] },
] as const;

const DEFAULT_BATCH = 1_000;
/** Rows of these are long: a chunk has up to a megabyte. */
const BATCHES: Readonly<Record<string, number>> = { snapshot_chunks: 8, records: 8, journal: 100 };
const FORMS: Readonly<Record<string, RowForm>> = {
  alerts: 'alert',
  api_keys: 'key',
  snapshots: 'snapshot',
  lease: 'lease',
};

/**
 * Tables in groups, in the order in which they are read. Where a source changes meanwhile, what was read is a state that a
 * crash could leave: what is written last is read first (docs/adr/0028). A group is read again until it is consistent.
 */
const GROUPS = [
  // The position in the source, with the state at it: what follows it is judged again.
  ['snapshots', 'snapshot_chunks'],
  // How far the outboxes have come; the rows up to there were written before.
  ['delivery_cursor', 'job_runs'],
  // Computed from alerts and observations that were written before.
  ['records'],
  // Customers after what belongs to them; past trials, all that is kept of a deleted customer, after the customers.
  ['api_keys', 'handles', 'link_codes', 'customers', 'past_trials'],
  ['webhooks', 'presets', 'deliveries', 'chat_messages', 'key_messages', 'chat_questions'],
  // Written before the webhooks and presets that they name.
  ['idempotency'],
  // After what refers to alerts: every alert that is delivered has its entry in the log.
  ['log', 'resolutions'],
  // Written before their entries in the log.
  ['feed_position', 'blind_windows', 'statements', 'alerts'],
  ['operator_requests', 'operator_alarms', 'audit', 'switches', 'usage', 'secrets', 'wallet_ages'],
  // Hours are written after their markets.
  ['observed_hours', 'observed_markets'],
  // Rows are in the journal before they are judged.
  ['journal', 'lease'],
] as const;

/** Tables and collections that no transfer copies, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  alert_facets: 'made from the alerts',
  listings: 'made from the alerts',
  key_requests: 'part of the rows of api_keys',
  pulses: 'heartbeats of processes that run on the source',
  agenda_jobs: 'times of the next ticks; every start makes them',
  rate_windows: 'counts of the current minute',
  schema_version: 'the target has its own',
};

const DECLARED: ReadonlyMap<string, TransferTable['declaration']> = new Map(
  [...declarations(), ...(SPECIAL as unknown as ReturnType<typeof declarations>)].map((declaration) => [
    declaration.name,
    declaration,
  ]),
);

/** Every table that a transfer copies, in groups. */
export const TABLE_GROUPS: readonly (readonly TransferTable[])[] = GROUPS.map((names) =>
  names.map((name) => tableOf(name, FORMS[name] ?? 'declared')),
);

/** What shows that a process of the service runs: heartbeats, and leases with their owners. */
export const [HEARTBEAT_TABLE, HELD_LEASE_TABLE] = [
  tableOf('pulses', 'declared'),
  tableOf('lease', 'declared'),
];

function tableOf(name: string, form: RowForm): TransferTable {
  const declaration = DECLARED.get(name);
  if (declaration === undefined) throw new Error(`no table ${name} is declared`);
  return { name, form, declaration, batch: BATCHES[name] ?? DEFAULT_BATCH };
}

/** The position after a row. */
export function tablePositionOf({ declaration }: TransferTable, row: TableRow): TablePosition {
  return declaration.key.map((name) => row[name] as Scalar);
}

/** A lease that no process holds. Its epoch is kept: the next one is larger, and names new chunks. */
export function releasedLease(row: TableRow): TableRow {
  return { ...row, owner: null, expiresAt: 0 };
}
