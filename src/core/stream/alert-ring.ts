import type { Alert } from '../alerts/alert.ts';
import type { Frame } from './stream-socket.ts';

/** An alert and its frame, which is made when it is first asked for, and once. */
export interface FramedAlert {
  readonly alert: Alert;
  frame(): Frame;
}

/** The newest alerts, oldest first. */
export interface AlertRing {
  /** Every alert with a larger id, up to `newest`, is held. */
  readonly floor: number;
  /** The highest id so far, also when nothing is held; 0 at first. */
  readonly newest: number;
  /** Ascending alerts; those not above `newest` are left out. */
  push(alerts: readonly Alert[]): void;
  /** Those held with a larger id, oldest first, at most `limit`. */
  after(id: number, limit: number): readonly FramedAlert[];
}

/** What a ring begins with: ascending alerts; `isWhole` when the ledger has none before them. */
interface RingStart {
  readonly alerts: readonly Alert[];
  readonly isWhole: boolean;
}

/** A ring that holds at least `capacity` alerts, and less than twice as many. */
export function createAlertRing(
  { capacity, frameOf }: { readonly capacity: number; readonly frameOf: (alert: Alert) => Frame },
  { alerts, isWhole }: RingStart,
): AlertRing {
  let entries: FramedAlert[] = alerts.map((alert) => frameOnce(alert, frameOf));
  let floor = isWhole ? 0 : idOf(entries[0]) - 1;
  /** Those who are at the same place ask for the same. */
  let last: { readonly id: number; readonly limit: number; readonly found: readonly FramedAlert[] } | null =
    null;

  return {
    get floor() {
      return floor;
    },
    get newest() {
      return idOf(entries.at(-1));
    },
    push(newer) {
      const newest = idOf(entries.at(-1));
      last = null;
      for (const alert of newer) if (alert.id > newest) entries.push(frameOnce(alert, frameOf));
      if (entries.length < 2 * capacity) return;
      floor = idOf(entries[entries.length - capacity - 1]);
      entries = entries.slice(-capacity);
    },
    after(id, limit) {
      if (last?.id === id && last.limit === limit) return last.found;
      const from = firstAbove(entries, id);
      last = { id, limit, found: entries.slice(from, from + limit) };
      return last.found;
    },
  };
}

/** The frame of an alert, made once. */
export function frameOnce(alert: Alert, frameOf: (alert: Alert) => Frame): FramedAlert {
  let made: Frame | undefined;
  return {
    alert,
    frame() {
      made ??= frameOf(alert);
      return made;
    },
  };
}

function idOf(entry: FramedAlert | undefined): number {
  return entry?.alert.id ?? 0;
}

function firstAbove(entries: readonly FramedAlert[], id: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (idOf(entries[middle]) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
