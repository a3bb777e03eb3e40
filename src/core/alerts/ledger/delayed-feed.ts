import { repeatUntil } from '../../base/async/repeat.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Alert } from '../alert.ts';
import type { AlertStore } from '../alert-store.ts';
import type { Feed } from './feed.ts';

interface DelayedFeedOptions {
  readonly alerts: Pick<AlertStore, 'latest'>;
  readonly feed: Pick<Feed, 'subscribe'>;
  readonly clock: Clock;
  readonly delayMs: number;
  /** Called with ascending alerts. */
  readonly onAlert: (alert: Alert) => void;
}

/** How late an alert may come. */
const LOOK_EVERY_MS = 250;

/** The feed at the free delay: an alert comes when callers without a key may see it. */
export class DelayedFeed {
  readonly #options: DelayedFeedOptions;
  readonly #stop = new AbortController();
  #newestId = 0;

  constructor(options: DelayedFeedOptions) {
    this.#options = options;
  }

  /** The newest alert that callers without a key may see; 0 without one. */
  get newestId(): number {
    return this.#newestId;
  }

  /** Begins after the newest visible alert. */
  async open(): Promise<void> {
    const { alerts, feed, clock, delayMs } = this.#options;
    const [newest] = await alerts.latest({ limit: 1, until: clock.now() - delayMs });
    this.#newestId = newest?.id ?? 0;
    const unsubscribe = feed.subscribe(this.#newestId, (batch) => this.#publish(batch));
    this.#stop.signal.addEventListener('abort', unsubscribe);
  }

  close(): void {
    this.#stop.abort();
  }

  /** The wall clock may be set while an alert waits: it is read again and again. */
  async #publish(batch: readonly Alert[]): Promise<void> {
    const { clock, delayMs, onAlert } = this.#options;
    const { signal } = this.#stop;
    for (const alert of batch) {
      const isVisible = () => clock.now() - delayMs >= alert.createdAt;
      await repeatUntil(isVisible, { clock, signal, intervalMs: LOOK_EVERY_MS });
      if (signal.aborted) return;
      this.#newestId = alert.id;
      onAlert(alert);
    }
  }
}
