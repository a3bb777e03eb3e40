import { repeat } from '../async/repeat.ts';
import type { Clock } from '../clock.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Logger } from '../logger.ts';
import { CLOSE_CODES, type StreamEnd } from './close-codes.ts';
import { endOneByOne } from './end-one-by-one.ts';
import { KeyWatch } from './key-watch.ts';
import { PingWatch } from './ping-watch.ts';
import type { StreamClient } from './stream-client.ts';
import type { StreamMetrics } from './stream-metrics.ts';

interface ClientRegistryOptions {
  readonly keys: Pick<KeyStore, 'byIds'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<StreamMetrics, 'streamOpened' | 'streamEnded'>;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Ends every pause. */
  readonly signal: AbortSignal;
  /** Clients that are too slow to be kept. Called once a second. */
  readonly findSlow: () => readonly StreamClient[];
  readonly onForgotten: (client: StreamClient) => void;
}

const KEY_CHECK_MS = 500;
/** Pings and slow clients are checked once a second. */
const KEY_CHECKS_PER_SWEEP = 2;

/** The connected clients. Ends those that do not ping, do not read, or whose key does not allow the stream any more. */
export class ClientRegistry {
  readonly #options: ClientRegistryOptions;
  readonly #clients = new Set<StreamClient>();
  readonly #pings = new PingWatch<StreamClient>();
  readonly #keys: KeyWatch<StreamClient>;
  /** Aborts when the last client has left. */
  #empty = new AbortController();

  constructor(options: ClientRegistryOptions) {
    const { keys, clock, logger } = options;
    this.#options = options;
    this.#keys = new KeyWatch({ keys, clock, logger, onLoss: (client, loss) => this.end(client, loss) });
  }

  get clients(): ReadonlySet<StreamClient> {
    return this.#clients;
  }

  /** `key`: as it was at the handshake. */
  add(client: StreamClient, key: ApiKey): void {
    if (this.#clients.size === 0) this.#watch();
    this.#clients.add(client);
    this.#pings.touch(client);
    this.#keys.add(key, client);
    this.#options.metrics.streamOpened();
  }

  pinged(client: StreamClient): void {
    this.#pings.touch(client);
  }

  /** Closes the socket and forgets the client. */
  end(client: StreamClient, why: keyof typeof CLOSE_CODES): void {
    if (this.#remove(client, why)) client.socket.close(CLOSE_CODES[why]);
  }

  /** Closes all sockets with 1001, spread over at most 3 s. */
  endAll(): Promise<void> {
    const { clock, random } = this.#options;
    const end = (client: StreamClient) => this.end(client, 'goingAway');
    return endOneByOne(this.#clients, { clock, random, end, signal: this.#empty.signal });
  }

  /** The socket has closed. Does nothing for a client that was forgotten before. */
  forget(client: StreamClient, why: StreamEnd): void {
    this.#remove(client, why);
  }

  #remove(client: StreamClient, why: StreamEnd): boolean {
    if (client.isEnded) return false;
    client.isEnded = true;
    this.#clients.delete(client);
    this.#pings.forget(client);
    this.#keys.remove(client.keyId, client);
    this.#options.onForgotten(client);
    this.#options.metrics.streamEnded(why);
    if (this.#clients.size === 0) this.#empty.abort();
    return true;
  }

  #watch(): void {
    const { clock, signal } = this.#options;
    this.#empty = new AbortController();
    let checks = 0;
    const check = () => {
      this.#keys.check();
      if (checks % KEY_CHECKS_PER_SWEEP === 0) this.#sweep();
      checks += 1;
    };
    const either = AbortSignal.any([signal, this.#empty.signal]);
    void repeat(check, { clock, signal: either, intervalMs: KEY_CHECK_MS });
  }

  #sweep(): void {
    for (const client of this.#pings.sweep()) this.end(client, 'missedPing');
    for (const client of this.#options.findSlow()) this.end(client, 'tooSlow');
  }
}
