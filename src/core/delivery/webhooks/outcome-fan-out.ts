import type { SettledAlerts } from '../../alerts/settlements/settlement-reader.ts';
import { outcomeDeliveryId } from './delivery.ts';
import { type DeliveryEngineOptions, FAN_OUT_BATCH_SIZE } from './delivery-engine-options.ts';
import { wantsAlert } from './fan-out.ts';
import { type AddedDelivery, addRows } from './new-rows.ts';
import type { Targets } from './targets.ts';
import type { Webhook } from './webhook.ts';

type OutcomeFanOutOptions = Pick<
  DeliveryEngineOptions,
  'deliveries' | 'settlements' | 'clock' | 'yieldToLoop' | 'fanOutBatchSize'
>;

interface OutcomeFanOutRun {
  /** Outcomes up to this number that are too old already are recorded as expired. */
  readonly missedUntil: number;
  readonly onAdded: (added: readonly AddedDelivery[]) => void;
  /** Ends it between two writes; another process makes the rest. */
  readonly signal: AbortSignal;
}

/**
 * Makes the rows of outcomes, for the webhooks that want them and at least one of the alerts that are settled. It is idempotent,
 * also in several processes: rows are unique, and written before the cursor advances.
 */
export class OutcomeFanOut {
  readonly #options: OutcomeFanOutOptions;
  readonly #targets: Targets;

  constructor(options: OutcomeFanOutOptions, targets: Targets) {
    this.#options = options;
    this.#targets = targets;
  }

  /** Makes the rows of all outcomes that the log has got. Throws what the stores throw. */
  async make(run: OutcomeFanOutRun): Promise<void> {
    const { deliveries, settlements } = this.#options;
    await settlements.sequence.refresh();
    const { last } = settlements.sequence;
    let done = (await deliveries.cursor('outcomes')) ?? last;
    while (done < last && !run.signal.aborted) {
      const wanting = (await this.#targets.current()).filter(({ events }) => events?.includes('outcome'));
      const next = wanting.length === 0 ? last : done + 1;
      const settled = wanting.length === 0 ? null : await settlements.one(next);
      if (settled !== null && !(await this.#makeRows(settled, wanting, run))) return;
      done = next;
      await deliveries.advance(done, 'outcomes');
    }
  }

  /** False when it was ended before the last row. */
  async #makeRows(
    settled: SettledAlerts,
    wanting: readonly Webhook[],
    { missedUntil, onAdded, signal }: OutcomeFanOutRun,
  ): Promise<boolean> {
    const { settlements, fanOutBatchSize = FAN_OUT_BATCH_SIZE } = this.#options;
    const { number: outcome, at } = settled.settlement;
    const event = { alert: null, outcome, at, isMissed: outcome <= missedUntil };
    const concerned = await settlements.concerned(settled, wanting, wantsAlert);
    for (let from = 0; from < concerned.length; from += fanOutBatchSize) {
      if (signal.aborted) return false;
      const webhooks = concerned.slice(from, from + fanOutBatchSize);
      const drafts = webhooks.map((webhook) => ({
        id: outcomeDeliveryId(webhook.id, outcome),
        webhook,
        event,
      }));
      await addRows(this.#options, drafts, onAdded);
    }
    return true;
  }
}
