/** Another process writes the ledger: it has used the next id or sequence number. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
