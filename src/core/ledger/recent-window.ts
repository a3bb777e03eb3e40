import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { resolutionOf, type Settlement } from '../alerts/resolution.ts';
import type { MarketResolution } from '../alerts/resolution-store.ts';
import type { Clock } from '../clock.ts';
import type { EpochMs } from '../trade.ts';
import type { Feed } from './feed.ts';

/** Answers "the newest alerts" from memory, as bytes ready to be sent. */
export interface RecentWindow<Bytes> {
  /** A JSON array, newest first. `isRealtime` false leaves out what is younger than the free delay. */
  json(query: { limit: number; isRealtime: boolean }): Bytes | Promise<Bytes>;
  /** Reads the newest alerts, then follows the feed. */
  open(): Promise<void>;
  close(): void;
}

interface WindowDeps<Bytes> {
  readonly alerts: Pick<AlertStore, 'latest'>;
  readonly feed: Pick<Feed, 'subscribe' | 'onResolution'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Alerts kept. Enough for the largest answer and those too young for free keys; the store serves the rest. */
  readonly capacity: number;
  readonly freeDelayMs: number;
  readonly serialise: (alert: Alert) => string;
  readonly encode: (json: string) => Bytes;
}

interface Entry {
  readonly alert: Alert;
  readonly text: string;
}

const SETTLEMENTS = 1_000;
/** Answers kept ready between two alerts: every limit for each delay class a few times over. */
const ANSWERS = 200;

/** A window that answers nothing until it is opened. */
export function createRecentWindow<Bytes>(deps: WindowDeps<Bytes>): RecentWindow<Bytes> {
  const { alerts, feed, clock, capacity, freeDelayMs, serialise, encode } = deps;
  /** Ascending by id. */
  let entries: Entry[] = [];
  let isWhole = false;
  let answers = new Map<string, Bytes>();
  /** Markets settled of late, for alerts read from the store before and added after. */
  const settlements = new Map<string, Settlement>();
  const ends: (() => void)[] = [];

  function add(newer: readonly Alert[]): void {
    const last = entries.at(-1)?.alert.id ?? 0;
    for (const alert of newer) if (alert.id > last) entries.push(toEntry(alert));
    if (entries.length > capacity) {
      entries = entries.slice(-capacity);
      isWhole = false;
    }
    answers = new Map();
  }

  function toEntry(alert: Alert): Entry {
    const settlement = settlements.get(alert.marketId);
    const resolution = settlement === undefined ? null : resolutionOf(alert, settlement);
    const current = resolution === null ? alert : { ...alert, resolution };
    return { alert: current, text: serialise(current) };
  }

  function resolve({ marketId, outcomes, payouts }: MarketResolution): void {
    settlements.delete(marketId);
    settlements.set(marketId, { outcomes, payouts });
    if (settlements.size > SETTLEMENTS) settlements.delete(settlements.keys().next().value as string);
    entries = entries.map((entry) => (entry.alert.marketId === marketId ? toEntry(entry.alert) : entry));
    answers = new Map();
  }

  function answer(visible: number, limit: number): Bytes {
    const key = `${visible} ${limit}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const texts = entries.slice(Math.max(0, visible - limit), visible).map(({ text }) => text);
    const bytes = encode(`[${texts.reverse().join(',')}]`);
    if (answers.size >= ANSWERS) answers.clear();
    answers.set(key, bytes);
    return bytes;
  }

  async function fromStore(limit: number, until: EpochMs): Promise<Bytes> {
    const found = await alerts.latest({ limit, until });
    return encode(`[${found.map(serialise).join(',')}]`);
  }

  return {
    json({ limit, isRealtime }) {
      const until = isRealtime ? Number.POSITIVE_INFINITY : clock.now() - freeDelayMs;
      const visible = isRealtime ? entries.length : countUntil(entries, until);
      if (visible < limit && !isWhole) return fromStore(limit, Number.isFinite(until) ? until : clock.now());
      return answer(visible, limit);
    },
    async open() {
      ends.push(feed.onResolution(resolve));
      const newestFirst = await alerts.latest({ limit: capacity });
      isWhole = newestFirst.length < capacity;
      add(newestFirst.toReversed());
      ends.push(feed.subscribe(newestFirst[0]?.id ?? 0, add));
    },
    close() {
      for (const end of ends.splice(0)) end();
    },
  };
}

/** How many entries were created at or before the moment; `createdAt` never decreases with the id. */
function countUntil(entries: readonly Entry[], until: EpochMs): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as Entry).alert.createdAt <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}
