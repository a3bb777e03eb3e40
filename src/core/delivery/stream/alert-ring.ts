import type { Alert } from '../../alerts/alert.ts';
import type { Frame } from './stream-client.ts';

/** An alert and its frame. The frame is made once, when it is first needed. */
export class FramedAlert {
  readonly alert: Alert;
  readonly #frameOf: (alert: Alert) => Frame;
  #frame: Frame | undefined;

  constructor(alert: Alert, frameOf: (alert: Alert) => Frame) {
    this.alert = alert;
    this.#frameOf = frameOf;
  }

  get frame(): Frame {
    this.#frame ??= this.#frameOf(this.alert);
    return this.#frame;
  }
}

/** The newest alerts, ascending: at least `capacity`, and less than twice as many. */
export class AlertRing {
  readonly #capacity: number;
  readonly #frameOf: (alert: Alert) => Frame;
  #entries: FramedAlert[] = [];
  #floor = 0;
  /** The last result of `after`: most clients ask for the same alerts. */
  #last: { readonly id: number; readonly limit: number; readonly found: readonly FramedAlert[] } | null =
    null;

  constructor(capacity: number, frameOf: (alert: Alert) => Frame) {
    this.#capacity = capacity;
    this.#frameOf = frameOf;
  }

  /** The ring holds every alert with a larger id, up to `newest`. */
  get floor(): number {
    return this.#floor;
  }

  /** The highest id; 0 without alerts. */
  get newest(): number {
    return idOf(this.#entries.at(-1));
  }

  /** Fills an empty ring with the newest alerts of the ledger, ascending. */
  fill(alerts: readonly Alert[]): void {
    this.push(alerts);
    if (alerts.length >= this.#capacity) this.#floor = Math.max(this.#floor, idOf(this.#entries[0]) - 1);
  }

  /** Adds ascending alerts. Those not above `newest` are ignored. */
  push(alerts: readonly Alert[]): void {
    const { newest } = this;
    this.#last = null;
    for (const alert of alerts)
      if (alert.id > newest) this.#entries.push(new FramedAlert(alert, this.#frameOf));
    if (this.#entries.length < 2 * this.#capacity) return;
    this.#floor = idOf(this.#entries.at(-this.#capacity - 1));
    this.#entries = this.#entries.slice(-this.#capacity);
  }

  after(id: number, limit: number): readonly FramedAlert[] {
    if (this.#last?.id === id && this.#last.limit === limit) return this.#last.found;
    // Most clients are near the end.
    const from = this.#entries.findLastIndex((entry) => idOf(entry) <= id) + 1;
    const found = this.#entries.slice(from, from + limit);
    this.#last = { id, limit, found };
    return found;
  }
}

function idOf(entry: FramedAlert | undefined): number {
  return entry?.alert.id ?? 0;
}
