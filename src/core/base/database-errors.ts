/** Time limit of one database call, milliseconds; calls that may take longer are listed in `src/infra/database/database.ts`. */
export const DATABASE_TIMEOUT_MS = 4_000;

/** No answer within the time limit. A write may still happen: repeat it only if it is idempotent. */
export class DatabaseTimeout extends Error {
  override readonly name = 'DatabaseTimeout';
}

/** The database cannot be used now, and perhaps later. The message states why and what to do; it is shown without a stack. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
