import type { AlertRing, FramedAlert } from './alert-ring.ts';
import { isWanted, type StreamClient, type StreamHubOptions } from './stream-client.ts';

/** Alerts that a client advances by before the next client is served. */
const STRIDE = 64;
/** A client with more unsent bytes is full and is sent no more alerts: about 500 alerts. */
const FULL_BYTES = 1_000_000;
/** A client with more unsent bytes is ended: also a full client is sent answers to its messages. */
export const CUT_BYTES = 4_000_000;
/** Sweeps, one a second, that a client may stay full. */
const SWEEPS_MAX = 10;

/** Cost of one slice, in frames and visits to clients: some milliseconds of the event loop. */
const SLICE = 125;

interface ForwarderCalls {
  /** Reads from the store what the ring does not hold any more, then calls `deliver`. */
  readonly fetch: (client: StreamClient) => void;
  readonly onCaughtUp: (client: StreamClient) => void;
}

/**
 * Sends clients the alerts after their cursors, as fast as each client reads. Clients are served in turn, in slices, so that
 * the event loop is not blocked; one that is to be served again comes last.
 */
export class Forwarder {
  readonly #options: StreamHubOptions;
  readonly #ring: AlertRing;
  readonly #calls: ForwarderCalls;
  /** The full clients with the number of sweeps since then. */
  readonly #full = new Map<StreamClient, number>();
  readonly #waiting = new Set<StreamClient>();
  #isScheduled = false;

  constructor(options: StreamHubOptions, ring: AlertRing, calls: ForwarderCalls) {
    this.#options = options;
    this.#ring = ring;
    this.#calls = calls;
  }

  /** Call when the ring has a new alert. The first slice is sent before this returns. */
  wakeAll(clients: Iterable<StreamClient>): void {
    for (const client of clients) this.#waiting.add(client);
    if (!this.#isScheduled) this.#runSlice();
  }

  /** Sends the client more, from the next turn of the event loop on. */
  wake(client: StreamClient): void {
    client.waitsFor = 'nothing';
    this.#waiting.add(client);
    this.#schedule();
  }

  /** Sends a page from the store, then what follows it. */
  deliver(client: StreamClient, page: readonly FramedAlert[]): void {
    client.waitsFor = 'nothing';
    this.#send(client, page);
    if (client.waitsFor === 'nothing') this.wake(client);
  }

  drained(client: StreamClient): void {
    if (this.#full.delete(client)) this.wake(client);
  }

  forget(client: StreamClient): void {
    this.#full.delete(client);
  }

  /** Called once a second. Returns the clients that have been full for 10 seconds without a break. */
  sweep(): readonly StreamClient[] {
    const slow: StreamClient[] = [];
    for (const [client, sweeps] of this.#full) {
      // `drained` is called for an empty buffer only; one with room is enough.
      const hasRoom = client.socket.unsentBytes() <= FULL_BYTES;
      const isSlow = !hasRoom && sweeps + 1 >= SWEEPS_MAX;
      if (hasRoom || isSlow) this.#full.delete(client);
      else this.#full.set(client, sweeps + 1);
      if (hasRoom) this.wake(client);
      if (isSlow) slow.push(client);
    }
    return slow;
  }

  #runSlice(): void {
    let left = SLICE;
    for (const client of this.#waiting) {
      if (left <= 0) break;
      this.#waiting.delete(client);
      left -= Math.max(1, this.#forward(client));
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.defer(() => {
      this.#isScheduled = false;
      this.#runSlice();
    });
  }

  /** Returns the number of frames sent. */
  #forward(client: StreamClient): number {
    if (client.isEnded || client.waitsFor !== 'nothing') return 0;
    if (client.cursor < this.#ring.floor) {
      client.waitsFor = 'store';
      this.#calls.fetch(client);
      return 0;
    }
    const sent = this.#send(client, this.#ring.after(client.cursor, STRIDE));
    if (client.cursor < this.#ring.newest) this.#waiting.add(client);
    else this.#calls.onCaughtUp(client);
    return sent;
  }

  #send(client: StreamClient, alerts: readonly FramedAlert[]): number {
    const { socket } = client;
    const isMany = alerts.length > 1;
    if (isMany) socket.hold();
    const sent = advance(client, alerts);
    if (isMany) socket.release();
    if (socket.unsentBytes() > FULL_BYTES) {
      client.waitsFor = 'drain';
      this.#full.set(client, 0);
    }
    this.#options.metrics.streamSent(sent);
    return sent;
  }
}

/** Sends the alerts that the client wants until its buffer is full, and moves its cursor. Returns the number of frames. */
function advance(client: StreamClient, alerts: readonly FramedAlert[]): number {
  const { socket, filter } = client;
  let sent = 0;
  for (const framed of alerts) {
    if (socket.unsentBytes() > FULL_BYTES) break;
    if (isWanted(filter, framed.alert)) {
      socket.send(framed.frame);
      sent += 1;
    }
    client.cursor = framed.alert.id;
  }
  return sent;
}
