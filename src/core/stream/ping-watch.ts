/** Sweeps without a ping after which a client is dropped: one more than the seconds, as the first may be short. */
const SWEEPS = 31;

/** Who has not sent a ping for 30 seconds (contract, WebSocket messages). Swept once a second. */
export interface PingWatch<Client> {
  /** A ping arrived, or the client has just connected. */
  touch(client: Client): void;
  forget(client: Client): void;
  /** Ends a second. Returns those whose last ping is 30 to 31 seconds old, and forgets them. */
  sweep(): readonly Client[];
}

/**
 * A watch over nobody. Time is counted in sweeps, so that neither a clock that is set nor a process that was paused
 * drops anybody; a sweep costs no more than those it drops.
 */
export function createPingWatch<Client>(): PingWatch<Client> {
  /** The sweep of the last ping, in the order of these pings. */
  const pinged = new Map<Client, number>();
  let now = 0;
  return {
    touch(client) {
      pinged.delete(client);
      pinged.set(client, now);
    },
    forget: (client) => void pinged.delete(client),
    sweep() {
      now += 1;
      const late: Client[] = [];
      for (const [client, at] of pinged) {
        if (now - at < SWEEPS) break;
        pinged.delete(client);
        late.push(client);
      }
      return late;
    },
  };
}
