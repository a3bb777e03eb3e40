import type { Metrics } from './metrics.ts';

/** What a process did in a while, as its log reports it. */
export interface Activity {
  /** Trades that the detector judged, and alerts that entered the ledger. */
  readonly trades: number;
  readonly alerts: number;
  /** Sockets of the stream: open now. */
  readonly clients: number;
  /** Webhook deliveries that were acknowledged, and those that were not. */
  readonly delivered: number;
  readonly undelivered: number;
}

const NOTHING: Activity = { trades: 0, alerts: 0, clients: 0, delivered: 0, undelivered: 0 };

/** Counts what the domain reports as metrics, for the log. */
export class ActivityCount {
  #since: { -readonly [Name in keyof Activity]: number } = { ...NOTHING };

  /** The metrics, with these counted as they pass. */
  counted(metrics: Metrics): Metrics {
    return {
      ...metrics,
      tradesJudged: (count) => {
        this.#add('trades', count);
        metrics.tradesJudged(count);
      },
      alertAppended: (type) => {
        this.#add('alerts');
        metrics.alertAppended(type);
      },
      streamOpened: () => {
        this.#add('clients');
        metrics.streamOpened();
      },
      streamEnded: (end) => {
        this.#add('clients', -1);
        metrics.streamEnded(end);
      },
      deliveryEnded: (end) => {
        this.#add(end === 'delivered' ? 'delivered' : 'undelivered');
        metrics.deliveryEnded(end);
      },
    };
  }

  /** What happened since the last call. */
  take(): Activity {
    const activity = this.#since;
    this.#since = { ...NOTHING, clients: activity.clients };
    return activity;
  }

  #add(name: keyof Activity, count = 1): void {
    this.#since[name] += count;
  }
}
