import type { ApiKey } from '../../src/core/accounts/keys/api-key.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { Feed } from '../../src/core/alerts/ledger/feed.ts';
import type { LogHead } from '../../src/core/alerts/log/log-entry.ts';
import type { StreamClose, StreamEnd } from '../../src/core/delivery/stream/close-codes.ts';
import type { StreamFrames, StreamSocket } from '../../src/core/delivery/stream/stream-client.ts';
import { StreamHub, type StreamRequest } from '../../src/core/delivery/stream/stream-hub.ts';
import { keyOf } from '../infra/database/api-key.ts';
import { alertOf } from './alerts.ts';
import { createFakeClock } from './clock.ts';
import { noMetrics } from './no-metrics.ts';
import { START } from './rows.ts';
import { silentLogger } from './silent-logger.ts';

export const FRAME_BYTES = 2_000;
/** Time of the event loop that one frame takes in the fixture. */
export const FRAME_MS = 0.04;

const text = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const FRAMES: StreamFrames = {
  pong: text({ type: 'pong' }),
  unknownMessage: text({ type: 'error' }),
  connected: (tier) => text({ type: 'connected', tier }),
  gap: (from, to) => text({ type: 'gap', from, to }),
  degraded: ({ since }) => text({ type: 'degraded', from: since }),
  recovered: ({ until }) => text({ type: 'recovered', to: until }),
  sample: (now) => text({ type: 'alert', test: true, now }),
  alert: ({ id }) => text({ type: 'alert', id, filling: 'x'.repeat(FRAME_BYTES - 40) }),
};

/** A socket that reads only on request, if `isSlow`. */
export class FakeSocket implements StreamSocket {
  readonly frames: {
    type: string;
    id?: number;
    from?: number;
    to?: number;
    tier?: string;
    log?: LogHead;
  }[] = [];
  closed: StreamClose | null = null;
  isSlow = false;
  unsent = 0;
  readonly #onSend: () => void;

  constructor(onSend: () => void) {
    this.#onSend = onSend;
  }

  get ids(): number[] {
    return this.frames.flatMap(({ type, id }) => (type === 'alert' && id !== undefined ? id : []));
  }
  send(frame: Uint8Array): void {
    this.#onSend();
    if (this.closed !== null) return;
    // Past the header of a WebSocket frame, where it has one.
    this.frames.push(JSON.parse(new TextDecoder().decode(frame.subarray(frame.indexOf(0x7b)))));
    if (this.isSlow) this.unsent += frame.length;
  }
  hold(): void {}
  release(): void {}
  unsentBytes(): number {
    return this.unsent;
  }
  close(close: StreamClose): void {
    this.closed ??= close;
  }
}

/** A hub over a ledger in memory, with fake sockets and a fake clock. */
export async function openStreamFixture(before: number | readonly Alert[] = 0) {
  const clock = createFakeClock(START);
  const ledger: Alert[] = typeof before === 'number' ? alertsUpTo(before) : [...before];
  const keys = new Map<string, ApiKey>();
  const counts = {
    sent: 0,
    framed: 0,
    reads: 0,
    keyReads: 0,
    keysRead: 0,
  };
  const ended: StreamEnd[] = [];
  let workedMs = 0;
  const warnings: string[] = [];
  const ranks: number[] = [];
  const faults = { alerts: false, keys: false, isHanging: false, isAtOnce: false };
  const read = async <T>(fault: 'alerts' | 'keys', answer: () => T): Promise<T> => {
    if (!faults.isAtOnce) await new Promise((resolve) => setImmediate(resolve));
    if (faults.isHanging) await new Promise(() => {});
    if (faults[fault]) throw new Error('the database is away');
    return answer();
  };
  const alerts = {
    after(id: number, limit: number) {
      counts.reads += 1;
      return read('alerts', () => ledger.filter((alert) => alert.id > id).slice(0, limit));
    },
    byId: (id: number) => read('alerts', () => ledger.find((alert) => alert.id === id) ?? null),
    latest: ({ limit }: { limit: number }) => read('alerts', () => ledger.slice(-limit).toReversed()),
  };
  const feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(1_000) });
  const hub = new StreamHub({
    alerts,
    keys: {
      byIds(ids) {
        counts.keyReads += 1;
        counts.keysRead += ids.length;
        return read('keys', () => ids.flatMap((id) => keys.get(id) ?? []));
      },
    },
    feed,
    clock: { ...clock, monotonic: () => workedMs },
    logger: { warn: (_fields, message) => void warnings.push(message) },
    metrics: {
      ...noMetrics,
      streamEnded: (end) => void ended.push(end),
      streamSent(frames) {
        counts.sent += frames;
      },
    },
    frames: {
      ...FRAMES,
      alert(alert) {
        counts.framed += 1;
        return FRAMES.alert(alert);
      },
    },
    defer: setImmediate,
    random: () => ranks.shift() ?? 0.5,
  });
  await hub.open();

  return {
    hub,
    clock,
    ledger,
    keys,
    counts,
    ended,
    warnings,
    ranks,
    faults,
    /** Connects a fake socket, by default with a key of its own. */
    connect(visitor: Partial<StreamRequest> & { keyId?: string; isSlow?: boolean } = {}) {
      const { keyId = `key_${keys.size}`, isSlow = false, tier = 'pro', ...wanted } = visitor;
      const key = keys.get(keyId) ?? keyOf({ id: keyId, lookup: keyId, tier, trialEndsAt: null });
      keys.set(keyId, key);
      const socket = new FakeSocket(() => {
        workedMs += FRAME_MS;
      });
      socket.isSlow = isSlow;
      const session = hub.attach(socket, {
        ...{ key, tier, lookup: key.lookup, since: null, filter: {}, wrongQuery: null },
        ...{ events: [], wantsSample: false, ...wanted },
      });
      return { socket, session, key };
    },
    publish(...made: readonly Alert[]) {
      for (const alert of made) {
        ledger.push(alert);
        feed.announce(alert);
      }
    },
  };
}

/** Waits until everything in progress has finished. */
export async function settle(turns = 60): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function alertsUpTo(last: number, first = 1): Alert[] {
  return Array.from({ length: last - first + 1 }, (_, index) => alertOf({ id: first + index }));
}
