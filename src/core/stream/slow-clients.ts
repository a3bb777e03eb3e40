import type { StreamClient } from './stream-client.ts';

/** A client with more unsent bytes is full and is sent no more alerts: about 500 alerts. */
export const FULL_BYTES = 1_000_000;
/** A client with more unsent bytes is ended: also a full client is sent answers to its messages. */
export const CUT_BYTES = 4_000_000;
/** Sweeps, one a second, that a client may stay full. */
const SWEEPS_MAX = 10;

/** The full clients. */
export class SlowClients {
  /** Sweeps since the client became full. */
  readonly #full = new Map<StreamClient, number>();

  add(client: StreamClient): void {
    this.#full.set(client, 0);
  }

  /** False if the client was not full. */
  remove(client: StreamClient): boolean {
    return this.#full.delete(client);
  }

  /** Called once a second. Removes and returns the clients with room again, and those full for 10 s without a break. */
  sweep(): { readonly roomy: readonly StreamClient[]; readonly slow: readonly StreamClient[] } {
    const roomy = [...this.#full.keys()].filter(({ socket }) => socket.unsentBytes() <= FULL_BYTES);
    for (const client of roomy) this.#full.delete(client);
    for (const [client, count] of this.#full) this.#full.set(client, count + 1);
    const slow = [...this.#full].filter(([, count]) => count >= SWEEPS_MAX).map(([client]) => client);
    for (const client of slow) this.#full.delete(client);
    return { roomy, slow };
  }
}
