import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { repeat } from '../../base/async/repeat.ts';
import { CLOSE_CODES, type StreamEnd } from './close-codes.ts';
import type { Forwarder } from './forwarder.ts';
import { KeyWatch } from './key-watch.ts';
import type { StreamClient, StreamHubOptions } from './stream-client.ts';

const KEY_CHECK_MS = 500;
/** Sweeps (one per second) without a ping before a client is dropped: one extra, since the first interval may be short. */
const SWEEPS_MAX = 31;
/** Closing all clients takes at most 5 ms each and 3 s in total. */
const END_ONE_MS = 5;
const END_ALL_MS = 3_000;
const END_STEP_MS = 50;
/** Pings and slow clients are checked once a second. */
const KEY_CHECKS_PER_SWEEP = 2;

/** The connected clients. Ends those that do not ping, do not read, or whose key no longer allows the stream. */
export class ClientRegistry {
  readonly #options: StreamHubOptions;
  readonly #forwarder: Forwarder;
  /** The clients in the order of their last pings, each with the number of the sweep at that ping. */
  readonly #pinged = new Map<StreamClient, number>();
  #sweeps = 0;
  readonly #keys: KeyWatch;
  /** Aborts when the last client has left during `endAll`. */
  #empty = new AbortController();

  constructor(options: StreamHubOptions, forwarder: Forwarder) {
    this.#options = options;
    this.#forwarder = forwarder;
    this.#keys = new KeyWatch(options, (client, loss) => this.end(client, loss));
  }

  get clients(): Iterable<StreamClient> {
    return this.#pinged.keys();
  }

  /** `key`: as it was at the handshake. */
  add(client: StreamClient, key: ApiKey): void {
    this.pinged(client);
    this.#keys.add(key, client);
    this.#options.metrics.streamOpened();
  }

  pinged(client: StreamClient): void {
    this.#pinged.delete(client);
    this.#pinged.set(client, this.#sweeps);
  }

  end(client: StreamClient, why: keyof typeof CLOSE_CODES): void {
    if (this.forget(client, why)) client.socket.close(CLOSE_CODES[why]);
  }

  /** Closes all sockets with 1001 in random order, evenly spread, so that the clients do not reconnect at the same time. */
  async endAll(): Promise<void> {
    const { clock, random } = this.#options;
    const order = [...this.clients]
      .map((client) => ({ client, rank: random() }))
      .toSorted((a, b) => a.rank - b.rank);
    const steps = Math.ceil(Math.min(END_ALL_MS, order.length * END_ONE_MS) / END_STEP_MS);
    const share = Math.ceil(order.length / Math.max(1, steps));
    this.#empty = new AbortController();
    for (let at = 0; at < order.length; at += share) {
      if (at > 0) await clock.sleep(END_STEP_MS, this.#empty.signal);
      for (const { client } of order.slice(at, at + share)) this.end(client, 'goingAway');
    }
  }

  /** The socket has closed. False for a client that was forgotten before. */
  forget(client: StreamClient, why: StreamEnd): boolean {
    if (client.isEnded) return false;
    client.isEnded = true;
    this.#pinged.delete(client);
    this.#keys.remove(client.keyId, client);
    this.#forwarder.forget(client);
    this.#options.metrics.streamEnded(why);
    if (this.#pinged.size === 0) this.#empty.abort();
    return true;
  }

  /** Checks keys, pings and slow clients until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let checks = 0;
    const check = () => {
      this.#keys.check();
      if (checks % KEY_CHECKS_PER_SWEEP === 0) this.#sweep();
      checks += 1;
    };
    await repeat(check, { clock, signal, intervalMs: KEY_CHECK_MS });
  }

  /**
   * Called once a second. Ends the clients without a ping for 30 seconds (contract, WebSocket messages), and the slow ones. Time is
   * counted in sweeps, so that neither a clock that is set nor a paused process drops clients. Visits only the late clients.
   */
  #sweep(): void {
    this.#sweeps += 1;
    for (const [client, at] of this.#pinged) {
      if (this.#sweeps - at < SWEEPS_MAX) break;
      this.end(client, 'missedPing');
    }
    for (const client of this.#forwarder.sweep()) this.end(client, 'tooSlow');
  }
}
