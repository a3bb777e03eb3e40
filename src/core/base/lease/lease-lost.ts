/** A snapshot was refused: another process holds the lease now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
