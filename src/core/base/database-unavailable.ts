/** The database cannot be used now, and perhaps later. The message states why and what to do; it is shown without a stack. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
