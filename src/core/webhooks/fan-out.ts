import type { Alert } from '../alerts/alert.ts';
import { DELIVERY_TIMES, type Delivery, deliveryId } from './delivery.ts';
import { type DeliveryEngineOptions, FAN_OUT_BATCH_SIZE } from './delivery-engine-options.ts';
import { Targets } from './targets.ts';
import type { Webhook } from './webhook.ts';

type FanOutOptions = Pick<
  DeliveryEngineOptions,
  'deliveries' | 'webhooks' | 'keys' | 'clock' | 'yieldToLoop' | 'fanOutBatchSize'
>;

interface FanOutRun {
  /** Alerts up to this id that are too old already are recorded as expired. */
  readonly missedUntil: number;
  /** Called with the rows that this process has added, after each write. */
  readonly onAdded: (added: readonly AddedDelivery[]) => void;
  /** Ends it between two writes; another process makes the rest. */
  readonly signal: AbortSignal;
}

/** A row that this process has added. */
export interface AddedDelivery {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  readonly alert: Alert;
}

/** A row of an alert, before its write gives it a time. */
type Draft = Pick<AddedDelivery, 'webhook' | 'alert'> & { readonly id: string };

/** Makes the rows of alerts. It is idempotent, also in several processes: rows are unique. */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #targets: Targets;
  /** The rows of the last alert that has some: after a failure only the rest is written. Earlier alerts have all. */
  #written: { readonly alertId: number; readonly ids: Set<string> } = { alertId: 0, ids: new Set() };

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#targets = new Targets(options);
  }

  /** Makes the rows of alerts in ascending order, then advances the cursor. Throws what the stores throw. */
  async make(alerts: readonly Alert[], run: FanOutRun): Promise<void> {
    const { deliveries, fanOutBatchSize = FAN_OUT_BATCH_SIZE } = this.#options;
    const targets = await this.#targets.current();
    let drafts: Draft[] = [];
    for (const alert of alerts) {
      for (const webhook of alert.isHistory ? [] : targets) {
        const id = deliveryId(webhook.id, alert.id);
        if (!matches(webhook, alert) || this.#isWritten(alert.id, id)) continue;
        drafts.push({ id, webhook, alert });
        if (drafts.length < fanOutBatchSize) continue;
        await this.#write(drafts, run);
        drafts = [];
        if (run.signal.aborted) return;
      }
    }
    await this.#write(drafts, run);
    const last = alerts.at(-1);
    if (last !== undefined) await deliveries.advance(last.id);
  }

  /** Rows get their time with each write, and come in the order of ids: a reader of new rows continues after its last. */
  async #write(drafts: readonly Draft[], { missedUntil, onAdded }: FanOutRun): Promise<void> {
    const { deliveries, clock, yieldToLoop } = this.#options;
    const createdAt = clock.now();
    const ordered = drafts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const rows = ordered.map(({ id, webhook, alert }) => {
      const isTooOld = alert.id <= missedUntil && alert.createdAt < createdAt - DELIVERY_TIMES.expiresAfterMs;
      const end = isTooOld ? ({ state: 'expired', finishedAt: createdAt } as const) : PENDING;
      const delivery = { id, webhookId: webhook.id, alertId: alert.id, createdAt, result: null, ...end };
      return { delivery, webhook, alert };
    });
    const added = new Set((await deliveries.add(rows.map(({ delivery }) => delivery))).map(({ id }) => id));
    const news = rows.filter(({ delivery: { id } }) => added.has(id));
    this.#keepWritten(drafts);
    if (news.length > 0) onAdded(news);
    await yieldToLoop();
  }

  #isWritten(alertId: number, id: string): boolean {
    return alertId < this.#written.alertId || this.#written.ids.has(id);
  }

  #keepWritten(drafts: readonly Draft[]): void {
    const alertId = drafts.at(-1)?.alert.id ?? 0;
    if (alertId > this.#written.alertId) this.#written = { alertId, ids: new Set() };
    for (const { id, alert } of drafts) if (alert.id === alertId) this.#written.ids.add(id);
  }
}

const PENDING = { state: 'pending', finishedAt: null } as const;

/** Whether an alert passes a webhook's criteria (contract, Webhook delivery). */
function matches({ categories, minScore }: Webhook, alert: Alert): boolean {
  return (categories?.includes(alert.category) ?? true) && alert.score >= (minScore ?? 0);
}
