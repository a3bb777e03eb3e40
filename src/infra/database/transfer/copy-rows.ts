import { UserError } from '../../../core/base/user-error.ts';
import { sha256 } from '../../secrets/key-crypto.ts';
import {
  type RowSource,
  type RowTarget,
  TABLE_GROUPS,
  type TablePosition,
  type TableRow,
  type TransferTable,
  tablePositionOf,
  transferred,
} from './transfer-table.ts';
import { WholeState } from './whole-state.ts';

export interface TransferWatch {
  /** Aborts between two writes; the transfer throws the reason. */
  readonly signal: AbortSignal;
  /** Before a table is copied or compared; `total` is an estimate. */
  onTable(step: 'copy' | 'compare', name: string, total: number): void;
  onRows(count: number): void;
}

interface TransferOptions {
  readonly source: RowSource;
  readonly target: RowTarget;
  /** Whether the source is the same in all reads, because nothing writes to it or because they see one moment. */
  readonly isStill: boolean;
  readonly watch: TransferWatch;
}

export interface TableReport {
  readonly name: string;
  readonly source: Contents;
  readonly target: Contents;
}

/** How often a group is read that changes meanwhile. */
const READS_MAX = 20;

/**
 * Copies every table into an empty target, or continues a transfer that was interrupted: what is there already is left as it is.
 * What was read is compared with what the target has then. Throws a `UserError` for a target with other contents. `groups`: with
 * other batches, for tests.
 */
export async function copyRows(
  options: TransferOptions,
  groups: typeof TABLE_GROUPS = TABLE_GROUPS,
): Promise<readonly TableReport[]> {
  const { source, target, isStill, watch } = options;
  await beginOrContinue(source, target);
  const state = isStill ? null : new WholeState();
  const copies = new Map<string, TableCopy>();
  for (const group of groups) {
    for (let reads = 1; ; reads += 1) {
      state?.begin();
      for (const table of group)
        copies.set(table.name, await copyTable(options, table, copies.get(table.name), state));
      if (state === null || state.isWhole(group)) break;
      if (reads === READS_MAX)
        throw new Error(
          `${group[0]?.name} of ${source.name} changed during ${READS_MAX} reads; nothing was kept`,
        );
      // From their beginning; the log is continued.
      const again = group.filter(({ name }) => name !== 'log');
      await target.clear(again);
      for (const { name } of again) copies.delete(name);
    }
  }
  const reports: TableReport[] = [];
  for (const table of groups.flat()) {
    const { contents } = (copies.get(table.name) as TableCopy).hash;
    reports.push({ name: table.name, source: contents, target: await contentsOf(watch, target, table) });
  }
  if (reports.every(isEqual)) await target.finish();
  return reports;
}

export function isEqual({ source, target }: TableReport): boolean {
  return source.rows === target.rows && source.hash === target.hash;
}

async function beginOrContinue(source: RowSource, target: RowTarget): Promise<void> {
  const former = await target.unfinishedFrom();
  if (former === source.name) return;
  if (former !== null)
    throw new UserError(
      `${target.name} is the target of an unfinished move from ${former}: repeat that command, or remove the database first.`,
    );
  await refuseContents(target);
  await target.begin(source.name);
}

async function refuseContents(target: RowTarget): Promise<void> {
  for (const table of TABLE_GROUPS.flat()) {
    if ((await target.read(table, null)).length > 0)
      throw new UserError(
        `${target.name} is not empty: it has rows in ${table.name}. Nothing was changed; name a new database, or remove this one first.`,
      );
  }
}

interface TableCopy {
  readonly after: TablePosition | null;
  readonly hash: RowHash;
}

async function copyTable(
  { source, target, watch }: TransferOptions,
  table: TransferTable,
  { after, hash }: TableCopy = { after: null, hash: new RowHash() },
  state: WholeState | null,
): Promise<TableCopy> {
  watch.onTable('copy', table.name, await source.count(table));
  let position = after;
  for (;;) {
    watch.signal.throwIfAborted();
    const found = await source.read(table, position);
    const taken = state === null ? found : found.filter((row) => state.take(table, row));
    const rows = taken.map((row) => transferred(row));
    const isDone = found.length < table.batch;
    const last = found.at(-1);
    if (last !== undefined) position = tablePositionOf(table, last);
    await target.write(table, rows);
    for (const row of rows) hash.add(row);
    watch.onRows(rows.length);
    if (isDone) return { after: position, hash };
  }
}

async function contentsOf(watch: TransferWatch, rows: RowSource, table: TransferTable): Promise<Contents> {
  watch.onTable('compare', table.name, await rows.count(table));
  const hash = new RowHash();
  let found: readonly TableRow[] = [];
  let last: TableRow | undefined;
  do {
    watch.signal.throwIfAborted();
    found = await rows.read(table, last === undefined ? null : tablePositionOf(table, last));
    for (const row of found) hash.add(transferred(row));
    last = found.at(-1);
    watch.onRows(found.length);
  } while (found.length === table.batch);
  return hash.contents;
}

const MODULUS = 1n << 256n;
const DIGITS = 64;

/** What is in a table: the number of its rows, and a hash of 64 hexadecimal digits that does not depend on their order. */
interface Contents {
  readonly rows: number;
  readonly hash: string;
}

/** Sums up the SHA-256 of rows. Equal rows have equal hashes, whichever database they were read from. */
class RowHash {
  #rows = 0;
  #sum = 0n;

  add(row: TableRow): void {
    this.#rows += 1;
    this.#sum = (this.#sum + BigInt(`0x${sha256(JSON.stringify(row, comparable))}`)) % MODULUS;
  }

  get contents(): Contents {
    return { rows: this.#rows, hash: this.#sum.toString(16).padStart(DIGITS, '0') };
  }
}

/** Members in one order, bytes as text, and text as both databases store it: half of a surrogate pair is replaced. */
function comparable(_: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutBytes(member)]));
}

function withoutBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
