import { LRUCache } from 'lru-cache';
import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { Clock } from '../clock.ts';
import type { Degraded, Recovered } from '../feed-health/degraded-notice.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Feed } from '../ledger/feed.ts';
import type { Logger } from '../logger.ts';
import { TIER_POLICIES, type Tier } from '../tier.ts';
import { type AlertRing, createAlertRing, type FramedAlert, frameOnce } from './alert-ring.ts';
import { createStreamBackfill, type StreamBackfill } from './backfill.ts';
import { type ClientRegistry, createClientRegistry } from './client-registry.ts';
import { CLOSE_CODES } from './close-codes.ts';
import { createFeedNotices, type FeedNotices } from './feed-notices.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import { createSession, NO_SESSION, type StreamSession } from './session.ts';
import { createStreamClient } from './stream-client.ts';
import type { StreamFilter } from './stream-filter.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import type { StreamFrames, StreamSocket } from './stream-socket.ts';

/** Alerts a client that comes back is sent at most (design, socket extras). */
export const REPLAYED_ALERTS = 10_000;
const RING_ALERTS = 1_000;
/** Older alerts whose frames are kept: who comes back together shares them, in what is sent and in what waits. */
const OLDER_ALERTS = 2_000;

/** Who connects, and what it wants. */
export interface StreamRequest {
  readonly key: ApiKey;
  readonly tier: Tier;
  /** The lookup part of the secret it came with. */
  readonly lookup: string;
  /** The last alert id it has; null for what comes from now on. */
  readonly since: number | null;
  readonly filter: StreamFilter;
  /** Names of its query that nobody knows, in words; null when there are none. */
  readonly ignored: string | null;
}

/** Sends every alert to every socket that wants it, once and in order, from wherever it left off. */
export interface StreamHub {
  /** Whether sockets are taken: after `open`, until `close`. */
  readonly isOpen: boolean;
  /** Reads the newest alerts, then follows the feed. */
  open(): Promise<void>;
  /**
   * Greets a socket and sends it what it missed, and then every alert. A tier without the stream is told so, and is
   * not greeted. Only while the hub is open; throws otherwise.
   */
  attach(socket: StreamSocket, visitor: StreamRequest): StreamSession;
  /** Tells every socket, and those that come while it lasts, once each has the alerts that it missed. */
  degrade(degraded: Degraded): void;
  /** Tells those who were told that it is degraded. */
  recover(recovered: Recovered): void;
  /** Ends every socket with 1001, over 3 s at most, so that the clients do not come back all at once. */
  close(): Promise<void>;
}

/** What a hub stands on. */
export interface StreamHubDeps {
  readonly alerts: Pick<AlertStore, 'after' | 'last' | 'latest'>;
  readonly keys: Pick<KeyStore, 'byIds'>;
  readonly feed: Pick<Feed, 'subscribe'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<StreamMetrics, 'streamOpened' | 'streamEnded' | 'streamSent'>;
  readonly frames: StreamFrames;
  /** Runs a task at a later turn of the loop. */
  readonly defer: (task: () => void) => void;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

interface Parts {
  readonly ring: AlertRing;
  readonly forwarder: Forwarder;
  readonly backfill: StreamBackfill;
  readonly registry: ClientRegistry;
}

/** A hub without sockets, not open yet. */
export function createStreamHub(deps: StreamHubDeps): StreamHub {
  const { alerts, feed, metrics } = deps;
  const stop = new AbortController();
  let parts: Parts | null = null;
  let unsubscribe = () => {};
  let isClosing = false;
  const notices = createFeedNotices(deps.frames);
  const notifyAll = () => parts?.forwarder.wakeAll(parts.registry.clients);

  return {
    get isOpen() {
      return parts !== null && !isClosing;
    },
    async open() {
      const opened = assemble({ ...deps, notices }, await alerts.latest({ limit: RING_ALERTS }), stop.signal);
      const { ring, forwarder, registry } = opened;
      unsubscribe = feed.subscribe(ring.newest, (newer) => {
        ring.push(newer);
        forwarder.wakeAll(registry.clients);
      });
      parts = opened;
    },
    attach(socket, visitor) {
      if (parts === null) throw new Error('the stream is not open');
      if (TIER_POLICIES[visitor.tier].hasStream) return greet(deps, parts, { socket, request: visitor });
      metrics.streamOpened();
      metrics.streamEnded('tierLacksStream');
      socket.close(CLOSE_CODES.tierLacksStream);
      return NO_SESSION;
    },
    degrade(state) {
      notices.degrade(state);
      notifyAll();
    },
    recover(state) {
      notices.recover(state);
      notifyAll();
    },
    async close() {
      isClosing = true;
      await parts?.registry.endAll();
      unsubscribe();
      stop.abort();
    },
  };
}

function assemble(
  deps: StreamHubDeps & { readonly notices: FeedNotices },
  newestFirst: readonly Alert[],
  signal: AbortSignal,
): Parts {
  const { frames, metrics, notices } = deps;
  const ring = createAlertRing(
    { capacity: RING_ALERTS, frameOf: frames.alert },
    { alerts: newestFirst.toReversed(), isWhole: newestFirst.length < RING_ALERTS },
  );
  const older = new LRUCache<string, FramedAlert>({ max: OLDER_ALERTS });
  function framed(alert: Alert): FramedAlert {
    const id = String(alert.id);
    const entry = older.get(id) ?? frameOnce(alert, frames.alert);
    older.set(id, entry);
    return entry;
  }
  const backfill = createStreamBackfill({
    ...deps,
    signal,
    onPage(client, page) {
      client.waitsFor = 'nothing';
      forwarder.deliver(client, page.map(framed));
      if (client.waitsFor === 'nothing') forwarder.wake(client);
    },
  });
  const forwarder = createForwarder({
    ...deps,
    ring,
    fetch: backfill.fetch,
    onSent: metrics.streamSent,
    onCaughtUp: notices.notify,
  });
  const registry = createClientRegistry({
    ...deps,
    signal,
    findSlow: forwarder.sweep,
    onForgotten(client) {
      forwarder.forget(client);
      backfill.forget(client);
    },
  });
  return { ring, backfill, forwarder, registry };
}

interface Arrival {
  readonly socket: StreamSocket;
  readonly request: StreamRequest;
}

function greet(deps: StreamHubDeps, parts: Parts, { socket, request: visitor }: Arrival): StreamSession {
  const { frames } = deps;
  const { ring, forwarder, backfill, registry } = parts;
  const { key, tier, lookup, since, filter, ignored } = visitor;
  const { gap, ...start } = startOf(since, ring.newest);
  const client = createStreamClient({ keyId: key.id, lookup, socket, filter, ...start });
  registry.add(client, key);
  socket.send(frames.connected(tier, ignored));
  if (gap !== null) socket.send(frames.gap(gap.from, gap.to));
  if (client.waitsFor === 'store') backfill.fetch(client);
  else forwarder.wake(client);
  return createSession(client, { ...deps, forwarder, registry });
}

/** Where a client begins. An id beyond the newest is the store's to judge. */
function startOf(since: number | null, newest: number) {
  if (since === null) return { cursor: newest, claimed: null, gap: null };
  if (since > newest) return { cursor: newest, claimed: since, gap: null };
  const first = newest - REPLAYED_ALERTS;
  if (since >= first) return { cursor: since, claimed: null, gap: null };
  return { cursor: first, claimed: null, gap: { from: since + 1, to: first } };
}
