import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { TIER_POLICIES, type Tier } from '../../accounts/tier.ts';
import type { EventKind } from '../../alerts/numbered-events.ts';
import type { LastingFilter } from '../../alerts/passes-filter.ts';
import type { Degraded, Recovered } from '../../trades/coverage/coverage-watch.ts';
import { AlertRing } from './alert-ring.ts';
import { StreamBackfill } from './backfill.ts';
import { ClientRegistry } from './client-registry.ts';
import { CLOSE_CODES } from './close-codes.ts';
import { CUT_BYTES, Forwarder } from './forwarder.ts';
import { StreamSession } from './session.ts';
import type { Frame, StreamClient, StreamHubOptions, StreamSocket } from './stream-client.ts';

/** Maximum number of missed alerts sent to a client. */
export const REPLAY_MAX = 10_000;
const RING_ALERTS = 1_000;

/** Shared by most clients, so that it stays in the cache of the processor. */
const EVERY_ALERT: LastingFilter = {};

/** The caller of the stream and its query. */
export interface StreamRequest {
  readonly key: ApiKey;
  readonly tier: Tier;
  readonly lookup: string;
  /** The last alert id that the client has; null for new alerts only. */
  readonly since: number | null;
  readonly filter: LastingFilter;
  /** The kinds of events that are sent besides alerts. */
  readonly events: readonly EventKind[];
  /** Whether an invented alert is sent first. */
  readonly wantsSample: boolean;
  /** The unknown names and wrong values of the query in words; null if there are none. */
  readonly wrongQuery: string | null;
}

/** Sends every socket each alert that it wants, once and in order, from its cursor on. */
export class StreamHub {
  readonly #options: StreamHubOptions;
  readonly #stop = new AbortController();
  readonly #ring: AlertRing;
  readonly #backfill: StreamBackfill;
  readonly #forwarder: Forwarder;
  readonly #registry: ClientRegistry;
  /** The state of the feed. A client that was not sent `degraded` is not sent `recovered`. */
  #degraded: Degraded | null = null;
  #recovered: Recovered | null = null;
  #isOpen = false;
  #unsubscribe = () => {};

  constructor(options: StreamHubOptions) {
    const { frames } = options;
    const { signal } = this.#stop;
    this.#options = options;
    this.#ring = new AlertRing(RING_ALERTS, frames.alert);
    this.#backfill = new StreamBackfill(options, signal, (client, page) =>
      this.#forwarder.deliver(client, page),
    );
    this.#forwarder = new Forwarder(options, this.#ring, {
      fetch: (client) => this.#backfill.fetch(client),
      onCaughtUp: (client) => this.#notify(client),
    });
    this.#registry = new ClientRegistry(options, this.#forwarder);
  }

  /** Whether sockets are accepted: from `open` to `close`. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Reads the newest alerts, then follows the feed. */
  async open(): Promise<void> {
    const { alerts, feed } = this.#options;
    this.#ring.fill((await alerts.latest({ limit: RING_ALERTS })).toReversed());
    this.#unsubscribe = feed.subscribe(this.#ring.newest, (newer) => {
      this.#ring.push(newer);
      this.#forwarder.wakeAll(this.#registry.clients);
    });
    void this.#registry.watch(this.#stop.signal);
    this.#isOpen = true;
  }

  /**
   * Greets a socket, then sends it missed and new alerts. A socket whose tier has no stream, or whose query is wrong, is closed
   * instead: an ignored filter would send it everything. Call only while the hub is open.
   */
  attach(socket: StreamSocket, request: StreamRequest): StreamSession {
    const { metrics } = this.#options;
    const { key, lookup, since, events } = request;
    const filter = Object.keys(request.filter).length === 0 ? EVERY_ALERT : request.filter;
    const refusal = refusalOf(request);
    const { gap, ...start } = startOf(since, this.#ring.newest);
    const client: StreamClient = {
      keyId: key.id,
      lookup,
      socket,
      filter,
      events,
      notified: null,
      isQueued: false,
      isEnded: refusal !== null,
      ...start,
      waitsFor: start.claimed === null ? 'nothing' : 'store',
    };
    if (refusal === null) this.#greet(client, request, gap);
    else {
      metrics.streamOpened();
      metrics.streamEnded(refusal.end);
      socket.close({ code: CLOSE_CODES[refusal.end].code, reason: refusal.reason });
    }
    return new StreamSession(this.#options, client, this.#forwarder, this.#registry);
  }

  /** The clients that want events of this kind. */
  clientsOf(kind: EventKind): readonly StreamClient[] {
    return [...this.#registry.clients].filter(({ events }) => events.includes(kind));
  }

  /** Sends the frame even to clients that are full, like the answers to their messages; closes those that do not read these. */
  sendEvent(clients: readonly StreamClient[], frame: Frame): void {
    const open = clients.filter(({ isEnded }) => !isEnded);
    for (const client of open) {
      client.socket.send(frame);
      if (client.socket.unsentBytes() > CUT_BYTES) this.#registry.end(client, 'tooSlow');
    }
    this.#options.metrics.streamSent(open.length);
  }

  /** Sends the notice to every socket that has all its alerts, now or later. */
  degrade(degraded: Degraded): void {
    this.#degraded = degraded;
    this.#forwarder.wakeAll(this.#registry.clients);
  }

  /** Sends the notice to the sockets that were sent the notice of `degrade`. */
  recover(recovered: Recovered): void {
    this.#degraded = null;
    this.#recovered = recovered;
    this.#forwarder.wakeAll(this.#registry.clients);
  }

  /** Closes all sockets with 1001, spread over at most 3 s, so that the clients do not reconnect at the same time. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#registry.endAll();
    this.#unsubscribe();
    this.#stop.abort();
  }

  #greet(client: StreamClient, { key, tier, wantsSample }: StreamRequest, gap: Gap | null): void {
    const { frames, clock } = this.#options;
    this.#registry.add(client, key);
    client.socket.send(frames.connected(tier));
    if (wantsSample) client.socket.send(frames.sample(clock.now()));
    if (gap !== null) client.socket.send(frames.gap(gap.from, gap.to));
    if (client.waitsFor === 'store') this.#backfill.fetch(client);
    else this.#forwarder.wake(client);
  }

  /** Sends the state of the feed to a client that has all its alerts but does not know the state yet. */
  #notify(client: StreamClient): void {
    if (client.notified === this.#degraded) return;
    client.notified = this.#degraded;
    const { frames } = this.#options;
    if (this.#degraded !== null) client.socket.send(frames.degraded(this.#degraded));
    else if (this.#recovered !== null) client.socket.send(frames.recovered(this.#recovered));
  }
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Where a client starts. An id above the newest one is looked up in the store. */
function startOf(since: number | null, newest: number) {
  if (since === null) return { cursor: newest, claimed: null, gap: null };
  if (since > newest) return { cursor: newest, claimed: since, gap: null };
  const first = newest - REPLAY_MAX;
  if (since >= first) return { cursor: since, claimed: null, gap: null };
  return { cursor: first, claimed: null, gap: { from: since + 1, to: first } };
}

const REASON_LENGTH = 123;

function refusalOf({
  tier,
  wrongQuery,
}: StreamRequest): { readonly end: keyof typeof CLOSE_CODES; readonly reason: string } | null {
  const { tierLacksStream } = CLOSE_CODES;
  if (!TIER_POLICIES[tier].hasStream) return { end: 'tierLacksStream', reason: tierLacksStream.reason };
  if (wrongQuery === null) return null;
  return { end: 'wrongQuery', reason: wrongQuery.replaceAll(/[^ -~]/g, '?').slice(0, REASON_LENGTH) };
}
