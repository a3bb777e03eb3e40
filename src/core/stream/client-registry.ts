import { repeat } from '../async/repeat.ts';
import type { Clock } from '../clock.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Logger } from '../logger.ts';
import { CLOSE_CODES, type StreamEnd } from './close-codes.ts';
import { KeyWatch } from './key-watch.ts';
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

/** 5 ms for each client, at most 3 s for all of them. */
const PER_CLIENT_MS = 5;
const TOTAL_MS = 3_000;
const STEP_MS = 50;

interface EndOptions<Client> {
  readonly clock: Pick<Clock, 'sleep'>;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly end: (client: Client) => void;
  /** Aborts when no client is left. */
  readonly signal: AbortSignal;
}

/** Ends all clients in random order, evenly spread, so that they do not reconnect at the same time. */
async function endOneByOne<Client>(
  clients: ReadonlySet<Client>,
  { clock, random, end, signal }: EndOptions<Client>,
): Promise<void> {
  const order = [...clients]
    .map((client) => ({ client, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ client }) => client);
  const steps = Math.ceil(Math.min(TOTAL_MS, order.length * PER_CLIENT_MS) / STEP_MS);
  const share = Math.ceil(order.length / Math.max(1, steps));
  for (let at = 0; at < order.length; at += share) {
    if (at > 0) await clock.sleep(STEP_MS, signal);
    for (const client of order.slice(at, at + share)) if (clients.has(client)) end(client);
  }
}

/** Sweeps without a ping before a client is dropped: one more than the seconds, since the first interval may be short. */
const SWEEPS_MAX = 31;

/**
 * Finds clients without a ping for 30 seconds (contract, WebSocket messages). Time is counted in sweeps, so that neither a
 * clock that is set nor a paused process drops clients. A sweep visits only the clients it drops.
 */
class PingWatch<Client> {
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
