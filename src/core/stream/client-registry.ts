import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Logger } from '../logger.ts';
import { CLOSE_CODES, type StreamEnd } from './close-codes.ts';
import { endOneByOne } from './end-one-by-one.ts';
import { createKeyWatch } from './key-watch.ts';
import { createPingWatch } from './ping-watch.ts';
import type { StreamClient } from './stream-client.ts';
import type { StreamMetrics } from './stream-metrics.ts';

/** Who is connected, and for how long. */
export interface ClientRegistry {
  readonly clients: ReadonlySet<StreamClient>;
  /** The client stays while it pings, reads, and its key holds. `key` as it was when it was let in. */
  add(client: StreamClient, key: ApiKey): void;
  pinged(client: StreamClient): void;
  /** Ends the socket, and forgets the client. */
  end(client: StreamClient, why: keyof typeof CLOSE_CODES): void;
  /** Ends everybody with 1001, over 3 s at most, or until the last has left. */
  endAll(): Promise<void>;
  /** The socket has ended. Nothing when it was forgotten before. */
  forget(client: StreamClient, why: StreamEnd): void;
}

interface ClientRegistryDeps {
  readonly keys: Pick<KeyStore, 'byIds'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<StreamMetrics, 'streamOpened' | 'streamEnded'>;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  /** Those that are too slow to be kept; asked once a second. */
  readonly findSlow: () => readonly StreamClient[];
  readonly onForgotten: (client: StreamClient) => void;
}

/** A roster without clients. It is swept only while it has some. */
export function createClientRegistry(deps: ClientRegistryDeps): ClientRegistry {
  const { clock, metrics, signal, findSlow, onForgotten } = deps;
  const clients = new Set<StreamClient>();
  const pings = createPingWatch<StreamClient>();
  const keys = createKeyWatch<StreamClient>({ ...deps, onLoss: end });
  let isSwept = false;
  let onEmpty = () => {};

  async function sweep(): Promise<void> {
    isSwept = true;
    while (clients.size > 0 && !signal.aborted) {
      await clock.sleep(SECOND_MS, signal);
      if (signal.aborted) break;
      for (const client of pings.sweep()) end(client, 'missedPing');
      for (const client of findSlow()) end(client, 'tooSlow');
    }
    isSwept = false;
  }

  function forget(client: StreamClient, why: StreamEnd): boolean {
    if (client.isEnded) return false;
    client.isEnded = true;
    clients.delete(client);
    pings.forget(client);
    keys.remove(client.keyId, client);
    onForgotten(client);
    metrics.streamEnded(why);
    if (clients.size === 0) onEmpty();
    return true;
  }

  function end(client: StreamClient, why: keyof typeof CLOSE_CODES): void {
    if (forget(client, why)) client.socket.close(CLOSE_CODES[why]);
  }

  return {
    clients,
    add(client, key) {
      clients.add(client);
      pings.touch(client);
      keys.add(key, client);
      metrics.streamOpened();
      if (!isSwept) void sweep();
    },
    pinged: pings.touch,
    end,
    endAll() {
      const empty = new AbortController();
      onEmpty = () => empty.abort();
      return endOneByOne(clients, { ...deps, end: (one) => end(one, 'goingAway'), signal: empty.signal });
    },
    forget: (client, why) => void forget(client, why),
  };
}
