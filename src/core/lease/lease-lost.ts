/** A snapshot was refused: another process holds the lease by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
