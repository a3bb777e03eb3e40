/** Result codes of an unavailable or unusable database: https://www.sqlite.org/rescode.html */
const FAILURES = {
  3: 'not_permitted',
  5: 'locked',
  6: 'locked',
  8: 'read_only',
  10: 'io_error',
  11: 'damaged',
  13: 'full',
  14: 'cannot_open',
  15: 'locked',
  26: 'not_a_database',
} as const;

/** What this program finds wrong in a file that SQLite can read. */
export class DamagedFile extends Error {
  readonly errcode = 11;
}

/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_ROWID. */
const TAKEN: ReadonlySet<unknown> = new Set([1_555, 2_067, 2_579]);

/** Whether a statement failed because another row has its key or one of its unique values. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && TAKEN.has(error.errcode);
}

export type SqliteFailure = (typeof FAILURES)[keyof typeof FAILURES];

/** Null for other errors: what a statement itself did wrong, and what is not of SQLite. */
export function sqliteFailure(error: unknown): SqliteFailure | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  // The extension of a code is in the upper bits.
  const code = Number(error.errcode) & 0xff;
  return code in FAILURES ? FAILURES[code as keyof typeof FAILURES] : null;
}
