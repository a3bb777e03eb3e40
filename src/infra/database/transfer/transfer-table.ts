import type { Declaration, Scalar } from '../stores/collection.ts';
import { declarations } from '../stores/stores.ts';

/** A row in the form that both databases share. */
export type TableRow = Readonly<Record<string, unknown>>;
/** The key of the last row that was read: the values of the table's key. */
export type TablePosition = readonly Scalar[];

export interface TransferTable {
  readonly name: string;
  readonly declaration: Declaration<Record<string, unknown>>;
  readonly batch: number;
}

const DEFAULT_BATCH = 1_000;
/** Rows of these are long: a chunk has up to a megabyte. */
const BATCHES: Readonly<Record<string, number>> = { snapshot_chunks: 8, journal: 100 };
/**
 * Tables in groups, in the order in which they are read. Where a source changes meanwhile, what was read is a state that a
 * crash could leave: what is written last is read first (docs/adr/0027). A group is read again until it is consistent.
 */
const GROUPS = [
  // The position in the source, in the lease, with the state at it: what follows it is judged again.
  ['lease', 'snapshot_chunks'],
  // How far the outboxes have come; the rows up to there were written before.
  ['delivery_cursor'],
  ['api_keys'],
  ['key_requests', 'webhooks', 'deliveries'],
  ['chat_messages'],
  // After what refers to alerts: every alert that is delivered has its entry in the log.
  ['log', 'settlements'],
  // Written before their entries in the log; exits after the alerts that they name.
  ['exits', 'alerts'],
  // Written before the alerts that name them.
  ['listings'],
  ['usage'],
  // Hours are written after their markets.
  ['observed_hours', 'observed_markets'],
  // Rows are in the journal before they are judged.
  ['journal'],
] as const;

/** Tables and collections that no transfer copies, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  agenda_jobs: 'times of the next ticks; every start makes them',
  column_segments: 'made from the alerts by a process that searches them',
  segment_results: 'made with the column segments',
  rate_windows: 'counts of the current minute',
  schema_version: 'the target has its own',
};

const DECLARED = new Map(declarations().map((declaration) => [declaration.name, declaration]));

export const TABLE_GROUPS: readonly (readonly TransferTable[])[] = GROUPS.map((names) => names.map(tableOf));

/** What shows that the service runs: its lease, with the owner. */
export const LEASE_TABLE = tableOf('lease');

function tableOf(name: string): TransferTable {
  const declaration = DECLARED.get(name);
  if (declaration === undefined) throw new Error(`no table ${name} is declared`);
  return { name, declaration, batch: BATCHES[name] ?? DEFAULT_BATCH };
}

export function tablePositionOf({ declaration }: TransferTable, row: TableRow): TablePosition {
  return declaration.key.map((name) => row[name] as Scalar);
}

/** As the target has it: a free lease with its epoch, and rows under a lease as from before all. */
export function transferred({ name }: Pick<TransferTable, 'name'>, row: TableRow): TableRow {
  if (name === 'lease') return { ...row, owner: null, expiresAt: 0 };
  return 'epoch' in row ? { ...row, epoch: 0 } : row;
}

/** A database whose tables are read as rows. Nothing in it is changed. */
export interface RowSource {
  /** What identifies the database, without credentials. */
  readonly name: string;
  /** Whether all reads see one moment, although others write. */
  readonly isFrozen: boolean;
  /** Up to `table.batch` rows after a position, by their keys; fewer at the end. */
  read(table: TransferTable, after: TablePosition | null): Promise<readonly TableRow[]>;
  /** About how many rows a table has. */
  count(table: TransferTable): Promise<number>;
  /** About how many bytes an SQLite file with the rows has. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** A database that is filled: until `finish` its schema has a version that no build opens. */
export interface RowTarget extends RowSource {
  /** `name` of the source of an unfinished transfer into the database; null when there is none. */
  unfinishedFrom(): Promise<string | null>;
  begin(source: string): Promise<void>;
  /** Writes new rows. Those that are there already are left unchanged. */
  write(table: TransferTable, rows: readonly TableRow[]): Promise<void>;
  clear(tables: readonly TransferTable[]): Promise<void>;
  finish(): Promise<void>;
}
