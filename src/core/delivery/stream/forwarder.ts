import type { AlertRing, FramedAlert } from './alert-ring.ts';
import { isWanted, type StreamClient, type StreamHubOptions } from './stream-client.ts';

/** Alerts that a client advances by before the next client is served. */
const STRIDE = 64;
/** A client with more unsent bytes (about 500 alerts) is full and is sent no more alerts. */
const FULL_BYTES = 1_000_000;
/** A client with more unsent bytes is closed: a full client is still sent answers to its messages. */
export const CUT_BYTES = 4_000_000;
/** Sweeps, one a second, that a client may stay full. */
const SWEEPS_MAX = 10;

/** Time of one slice; garbage collection comes on top. The longest block of the event loop is to be 15 ms. */
const SLICE_MS = 3;
/** Frames and visits to clients between two looks at the clock: a few tenths of a millisecond. */
const LOOK_EVERY = 16;

interface ForwarderCalls {
  /** Reads from the store what the ring no longer holds, then calls `deliver`. */
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
  /** The clients to be served, those with `isQueued`. */
  readonly #queue: StreamClient[] = [];
  #isScheduled = false;

  constructor(options: StreamHubOptions, ring: AlertRing, calls: ForwarderCalls) {
    this.#options = options;
    this.#ring = ring;
    this.#calls = calls;
  }

  /** Call when the ring has a new alert. The first slice is sent before this returns. */
  wakeAll(clients: Iterable<StreamClient>): void {
    for (const client of clients) this.#enqueue(client);
    if (!this.#isScheduled) this.#runSlice();
  }

  /** Sends the client more, from the next turn of the event loop on. */
  wake(client: StreamClient): void {
    client.waitsFor = 'nothing';
    this.#enqueue(client);
    this.#schedule();
  }

  /** Sends a page from the store, then what follows it. */
  deliver(client: StreamClient, page: readonly FramedAlert[]): void {
    client.waitsFor = 'nothing';
    this.#options.metrics.streamSent(this.#send(client, page));
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
      // `drained` is called only for an empty buffer, but a buffer with room is enough.
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
    const { clock, metrics } = this.#options;
    const endsAt = clock.monotonic() + SLICE_MS;
    let [visited, sent, untilLook] = [0, 0, LOOK_EVERY];
    for (const client of this.#queue) {
      client.isQueued = false;
      visited += 1;
      const frames = this.#forward(client);
      sent += frames;
      untilLook -= Math.max(1, frames);
      if (untilLook > 0) continue;
      if (clock.monotonic() >= endsAt) break;
      untilLook = LOOK_EVERY;
    }
    this.#queue.splice(0, visited);
    metrics.streamSent(sent);
    if (this.#queue.length > 0) this.#schedule();
  }

  #enqueue(client: StreamClient): void {
    if (client.isQueued) return;
    client.isQueued = true;
    this.#queue.push(client);
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
    if (client.cursor < this.#ring.newest) this.#enqueue(client);
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
