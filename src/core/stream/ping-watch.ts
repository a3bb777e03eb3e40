/** Sweeps without a ping before a client is dropped: one more than the seconds, since the first interval may be short. */
const SWEEPS_MAX = 31;

/**
 * Finds clients without a ping for 30 seconds (contract, WebSocket messages). Time is counted in sweeps, so that neither a
 * clock that is set nor a paused process drops clients. A sweep visits only the clients it drops.
 */
export class PingWatch<Client> {
  /** The number of the sweep at the last ping, in the order of the pings. */
  readonly #pinged = new Map<Client, number>();
  #sweeps = 0;

  /** The client has pinged, or has just connected. */
  touch(client: Client): void {
    this.#pinged.delete(client);
    this.#pinged.set(client, this.#sweeps);
  }

  forget(client: Client): void {
    this.#pinged.delete(client);
  }

  /** Called once a second. Returns and forgets the clients whose last ping is 30 to 31 seconds old. */
  sweep(): readonly Client[] {
    this.#sweeps += 1;
    const late: Client[] = [];
    for (const [client, at] of this.#pinged) {
      if (this.#sweeps - at < SWEEPS_MAX) break;
      this.#pinged.delete(client);
      late.push(client);
    }
    return late;
  }
}
