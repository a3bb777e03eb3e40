/** Another process writes the ledger by now: it holds the id or the sequence number this one was about to write. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
