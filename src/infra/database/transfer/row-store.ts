import type { TablePosition, TableRow, TransferTable } from './transfer-table.ts';

/** A database whose tables are read as rows. Nothing in it is changed. */
export interface RowSource {
  readonly kind: 'sqlite' | 'mongodb';
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

/** How far a transfer has come, as the target stores it. */
export interface TransferProgress {
  /** `name` of the source. */
  readonly source: string;
  /** By table; a table is missing that was not begun. */
  readonly tables: Readonly<Record<string, TableProgress>>;
}

export interface TableProgress {
  readonly after: TablePosition | null;
  readonly isDone: boolean;
}

/**
 * A database that is filled. From `begin` to `finish` no build of the service opens it: its schema has a version that none
 * has.
 */
export interface RowTarget extends RowSource {
  /** The progress of the unfinished transfer that the database has; null when there is none. */
  progress(): Promise<TransferProgress | null>;
  /** Marks an empty database as the target of a transfer. */
  begin(source: string): Promise<void>;
  /** Writes new rows, and how far the table has come. Rows that an interrupted call has written are left unchanged. */
  write(table: TransferTable, rows: readonly TableRow[], progress: TableProgress): Promise<void>;
  /** Makes it a database of the service. */
  finish(): Promise<void>;
}

/** The target of a backup, whose source changes: some tables are read and written again. */
export interface BackupTarget extends RowTarget {
  /** Empties tables. */
  clear(tables: readonly TransferTable[]): Promise<void>;
}
