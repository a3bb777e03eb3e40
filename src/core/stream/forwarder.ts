import type { AlertRing, FramedAlert } from './alert-ring.ts';
import { RoundRobin } from './round-robin.ts';
import { FULL_BYTES, SlowClients } from './slow-clients.ts';
import type { StreamClient } from './stream-client.ts';
import { isWanted } from './stream-filter.ts';

/** Alerts that a client advances by before the next client is served. */
const STRIDE = 64;

interface ForwarderOptions {
  readonly ring: AlertRing;
  /** Runs a task in a later turn of the event loop. */
  readonly defer: (task: () => void) => void;
  /** Reads from the store what the ring does not hold any more, then calls `wake`. */
  readonly fetch: (client: StreamClient) => void;
  readonly onSent: (frames: number) => void;
  /** Called when the client has all its alerts. */
  readonly onCaughtUp: (client: StreamClient) => void;
}

/** Sends clients the alerts after their cursors, in slices, as fast as each client reads. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #full = new SlowClients();
  readonly #roundRobin: RoundRobin<StreamClient>;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#roundRobin = new RoundRobin(options.defer, (client) => Math.max(1, this.#forward(client)));
  }

  /** Call when the ring has a new alert. The first slice is sent before this returns. */
  wakeAll(clients: Iterable<StreamClient>): void {
    this.#roundRobin.takeAll(clients);
  }

  /** Sends the client more, from the next turn of the event loop on. */
  wake(client: StreamClient): void {
    client.waitsFor = 'nothing';
    this.#roundRobin.take(client);
  }

  /** Sends a page from the store, then what follows it. */
  deliver(client: StreamClient, page: readonly FramedAlert[]): void {
    client.waitsFor = 'nothing';
    this.#send(client, page);
    if (client.waitsFor === 'nothing') this.wake(client);
  }

  /** The socket's buffer is empty. */
  drained(client: StreamClient): void {
    if (this.#full.remove(client)) this.wake(client);
  }

  forget(client: StreamClient): void {
    this.#roundRobin.forget(client);
    this.#full.remove(client);
  }

  /** Called once a second. Returns the clients that have been full for 10 seconds without a break. */
  sweep(): readonly StreamClient[] {
    // `drained` is called for an empty buffer only; one with room is enough.
    const { roomy, slow } = this.#full.sweep();
    for (const client of roomy) this.wake(client);
    return slow;
  }

  /** Returns the number of frames sent. */
  #forward(client: StreamClient): number {
    const { ring, fetch, onCaughtUp } = this.#options;
    if (client.isEnded || client.waitsFor !== 'nothing') return 0;
    if (client.cursor < ring.floor) {
      client.waitsFor = 'store';
      fetch(client);
      return 0;
    }
    const sent = this.#send(client, ring.after(client.cursor, STRIDE));
    if (client.cursor < ring.newest) this.#roundRobin.take(client);
    else onCaughtUp(client);
    return sent;
  }

  /** Returns the number of frames sent. */
  #send(client: StreamClient, alerts: readonly FramedAlert[]): number {
    const { socket } = client;
    const isMany = alerts.length > 1;
    if (isMany) socket.hold();
    const sent = advance(client, alerts);
    if (isMany) socket.release();
    if (socket.unsentBytes() > FULL_BYTES) {
      client.waitsFor = 'drain';
      this.#full.add(client);
    }
    if (sent > 0) this.#options.onSent(sent);
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
