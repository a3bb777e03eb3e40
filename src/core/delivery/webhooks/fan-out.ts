import type { Alert } from '../../alerts/alert.ts';
import { passesFilter } from '../../alerts/passes-filter.ts';
import { deliveryId } from './delivery.ts';
import { type DeliveryEngineOptions, FAN_OUT_BATCH_SIZE } from './delivery-engine-options.ts';
import { type AddedDelivery, addRows, type DeliveredEvent, type DraftRow } from './new-rows.ts';
import type { Targets } from './targets.ts';
import type { Webhook } from './webhook.ts';

type FanOutOptions = Pick<DeliveryEngineOptions, 'deliveries' | 'clock' | 'yieldToLoop' | 'fanOutBatchSize'>;

interface FanOutRun {
  /** Alerts up to this id that are too old already are recorded as expired. */
  readonly missedUntil: number;
  /** Called with the rows that this process has added, after each write. */
  readonly onAdded: (added: readonly AddedDelivery[]) => void;
  /** Ends it between two writes; another process makes the rest. */
  readonly signal: AbortSignal;
}

/** Makes the rows of alerts. It is idempotent, also in several processes: rows are unique. */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #targets: Targets;
  /** The rows of the last alert that has some: after a failure only the rest is written. Earlier alerts have all. */
  #written: { readonly alertId: number; readonly ids: Set<string> } = { alertId: 0, ids: new Set() };

  constructor(options: FanOutOptions, targets: Targets) {
    this.#options = options;
    this.#targets = targets;
  }

  /** Makes the rows of alerts in ascending order, then advances the cursor. Throws what the stores throw. */
  async make(alerts: readonly Alert[], run: FanOutRun): Promise<void> {
    const { deliveries, fanOutBatchSize = FAN_OUT_BATCH_SIZE } = this.#options;
    const targets = (await this.#targets.current()).filter(({ events }) => events?.includes('alert') ?? true);
    let drafts: DraftRow[] = [];
    for (const alert of alerts) {
      const event: DeliveredEvent = { alert, at: alert.createdAt, isMissed: alert.id <= run.missedUntil };
      for (const webhook of targets) {
        const id = deliveryId(webhook.id, alert.id);
        if (!wantsAlert(webhook, alert) || this.#isWritten(alert.id, id)) continue;
        drafts.push({ id, webhook, event });
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

  async #write(drafts: readonly DraftRow[], { onAdded }: FanOutRun): Promise<void> {
    await addRows(this.#options, drafts, onAdded);
    this.#keepWritten(drafts);
  }

  #isWritten(alertId: number, id: string): boolean {
    return alertId < this.#written.alertId || this.#written.ids.has(id);
  }

  #keepWritten(drafts: readonly DraftRow[]): void {
    const alertId = drafts.at(-1)?.event.alert?.id ?? 0;
    if (alertId > this.#written.alertId) this.#written = { alertId, ids: new Set() };
    for (const { id, event } of drafts) if (event.alert?.id === alertId) this.#written.ids.add(id);
  }
}

/** Whether an alert passes a webhook's criteria (contract, Webhook delivery). Alerts of history pass none. */
export function wantsAlert({ categories, minScore, filters }: Webhook, alert: Alert): boolean {
  return (
    !alert.isHistory &&
    (categories?.includes(alert.category) ?? true) &&
    alert.score >= (minScore ?? 0) &&
    (filters === null || passesFilter(alert, filters))
  );
}
