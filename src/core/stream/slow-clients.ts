import type { StreamClient } from './stream-client.ts';

/** Nothing more is sent to a client that has more unsent bytes than this: about 500 alerts. */
export const FULL_BYTES = 1_000_000;
/** With more than this a client is ended at once: answers to its messages are sent to it also while it is full. */
export const CUT_BYTES = 4_000_000;
/** Sweeps, a second each, that a client may stay full. */
const SWEEPS = 10;

/** The clients that have to read before they are sent more. */
export interface SlowClients {
  add(client: StreamClient): void;
  /** False when the client was not full. */
  remove(client: StreamClient): boolean;
  /** Ends a second. Tells who has room again, and who has been full for 10 s without a break; both are removed. */
  sweep(): { readonly roomy: readonly StreamClient[]; readonly slow: readonly StreamClient[] };
}

/** Nobody is full. */
export function createSlowClients(): SlowClients {
  const sweeps = new Map<StreamClient, number>();
  return {
    add: (client) => void sweeps.set(client, 0),
    remove: (client) => sweeps.delete(client),
    sweep() {
      const roomy = [...sweeps.keys()].filter(({ socket }) => socket.unsentBytes() <= FULL_BYTES);
      for (const client of roomy) sweeps.delete(client);
      for (const [client, count] of sweeps) sweeps.set(client, count + 1);
      const slow = [...sweeps].filter(([, count]) => count >= SWEEPS).map(([client]) => client);
      for (const client of slow) sweeps.delete(client);
      return { roomy, slow };
    },
  };
}
