import type { AlertRing, FramedAlert } from './alert-ring.ts';
import { createRoundRobin } from './round-robin.ts';
import { createSlowClients, FULL_BYTES } from './slow-clients.ts';
import type { StreamClient } from './stream-client.ts';
import { isWanted } from './stream-filter.ts';

/** Alerts one client is brought forward by before the next has its turn. */
const STRIDE = 64;

/** Brings clients forward to the newest alert, a slice at a time, as fast as each of them reads. */
export interface Forwarder {
  /** A new alert is in the ring. The first slice is sent before this returns. */
  wakeAll(clients: Iterable<StreamClient>): void;
  /** The client may be sent more, from the next turn of the loop on. */
  wake(client: StreamClient): void;
  /** Sends what the client wants of these ascending alerts, until it is full; its cursor says how far that was. */
  deliver(client: StreamClient, alerts: readonly FramedAlert[]): void;
  /** What was sent has left the process. */
  drained(client: StreamClient): void;
  forget(client: StreamClient): void;
  /** Ends a second. Returns those that have been full for 10 seconds without a break. */
  sweep(): readonly StreamClient[];
}

interface ForwarderDeps {
  readonly ring: AlertRing;
  /** Runs a task at a later turn of the loop. */
  readonly defer: (task: () => void) => void;
  /** Reads from the store what the ring does not hold any more, and then wakes the client. */
  readonly fetch: (client: StreamClient) => void;
  readonly onSent: (frames: number) => void;
  /** The client has all its alerts. */
  readonly onCaughtUp: (client: StreamClient) => void;
}

/** A forwarder that is at rest until somebody is woken. */
export function createForwarder({ ring, defer, fetch, onSent, onCaughtUp }: ForwarderDeps): Forwarder {
  const full = createSlowClients();
  const roundRobin = createRoundRobin({
    defer,
    serve: (client: StreamClient) => Math.max(1, forward(client)),
  });

  /** Returns how many frames that took. */
  function deliver(client: StreamClient, alerts: readonly FramedAlert[]): number {
    const { socket } = client;
    const isMany = alerts.length > 1;
    if (isMany) socket.hold();
    const sent = advance(client, alerts);
    if (isMany) socket.release();
    if (socket.unsentBytes() > FULL_BYTES) {
      client.waitsFor = 'drain';
      full.add(client);
    }
    if (sent > 0) onSent(sent);
    return sent;
  }

  function forward(client: StreamClient): number {
    if (client.isEnded || client.waitsFor !== 'nothing') return 0;
    if (client.cursor < ring.floor) {
      client.waitsFor = 'store';
      fetch(client);
      return 0;
    }
    const sent = deliver(client, ring.after(client.cursor, STRIDE));
    if (client.cursor < ring.newest) roundRobin.take(client);
    else onCaughtUp(client);
    return sent;
  }

  function resume(client: StreamClient): void {
    client.waitsFor = 'nothing';
    roundRobin.take(client);
  }

  return {
    wakeAll: roundRobin.takeAll,
    wake: resume,
    deliver: (client, alerts) => void deliver(client, alerts),
    drained: (client) => full.remove(client) && resume(client),
    forget(client) {
      roundRobin.forget(client);
      full.remove(client);
    },
    sweep() {
      // `drained` is told of an empty buffer only; room in it is enough.
      const { roomy, slow } = full.sweep();
      for (const client of roomy) resume(client);
      return slow;
    },
  };
}

/** Sends what the client wants of the alerts until it is full, and moves its cursor. Returns how many that were. */
function advance(client: StreamClient, alerts: readonly FramedAlert[]): number {
  const { socket, filter } = client;
  let sent = 0;
  for (const { alert, frame } of alerts) {
    if (socket.unsentBytes() > FULL_BYTES) break;
    if (isWanted(filter, alert)) {
      socket.send(frame());
      sent += 1;
    }
    client.cursor = alert.id;
  }
  return sent;
}
