import type { Alert } from '../../alerts/alert.ts';
import { passesFilter } from '../../alerts/passes-filter.ts';
import type { SettledAlerts } from '../../alerts/settlements/settlement-reader.ts';
import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat, untilAborted } from '../../base/async/repeat.ts';
import { holdLease } from '../../base/lease/lease.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import { deliveryId, outcomeDeliveryId } from './delivery.ts';
import { type DeliveryEngineOptions, FAN_OUT_BATCH_SIZE } from './delivery-engine-options.ts';
import { type AddedDelivery, addRows, type DeliveredEvent, type DraftRow } from './new-rows.ts';
import { Targets } from './targets.ts';
import type { Webhook } from './webhook.ts';

const RETRY_MS = SECOND_MS;
/** Pause between two looks for new outcomes. */
const OUTCOMES_EVERY_MS = SECOND_MS;

interface FanOutStart {
  /** The ledger's last alert and outcome when this process started. */
  readonly position: number;
  readonly lastOutcome: number;
  readonly onAdded: (added: readonly AddedDelivery[]) => void;
}

/**
 * Makes the rows of each alert and outcome in one process: the holder of the lease. The others stand by. The rows do not depend on the
 * lease: two holders at a time would make the same ones.
 */
export class FanOutRole {
  readonly #options: DeliveryEngineOptions;
  readonly #start: FanOutStart;
  #state: 'starting' | 'holder' | 'standby' = 'starting';

  constructor(options: DeliveryEngineOptions, start: FanOutStart) {
    this.#options = options;
    this.#start = start;
  }

  /** Whether this process makes the rows now. */
  get isHolder(): boolean {
    return this.#state === 'holder';
  }

  /** Ends when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const { lease, owner, isGone } = this.#options;
    const deps = { store: lease('fan-out'), clock, logger, owner, isGone };
    const failures = new FailureLog(logger, 'fan-out of alerts to webhooks failed; retrying every second');
    const attempt = async () => {
      const outcome = await holdLease(deps, signal, (_, held) => this.#work(held));
      if (outcome === 'refused') this.#standBy();
    };
    await repeat(attempt, { clock, signal, intervalMs: RETRY_MS, failures });
  }

  #standBy(): void {
    if (this.#state !== 'standby')
      this.#options.logger.info(
        {},
        'another process makes the deliveries of alerts; sending a share of them',
      );
    this.#state = 'standby';
  }

  /** Continues after the last alert whose rows are made. */
  async #work(signal: AbortSignal): Promise<void> {
    const { deliveries, feed, clock, logger } = this.#options;
    const { position, lastOutcome, onAdded } = this.#start;
    const cursor = (await deliveries.cursor()) ?? position;
    logger.info({ after: cursor }, 'making the deliveries of alerts');
    this.#state = 'holder';
    const targets = new Targets(this.#options);
    const fanOut = new FanOut(this.#options, targets);
    const outcomes = new SettlementFanOut(this.#options, targets);
    let making: Promise<void> = Promise.resolve();
    const unsubscribe = feed.subscribe(cursor, (alerts) => {
      making = fanOut.make(alerts, { missedUntil: position, onAdded, signal });
      return making;
    });
    const following = repeat(() => outcomes.make({ missedUntil: lastOutcome, onAdded, signal }), {
      ...{ clock, signal, intervalMs: OUTCOMES_EVERY_MS },
      failures: new FailureLog(logger, 'fan-out of outcomes to webhooks failed; retrying every second'),
    });
    await untilAborted(signal);
    unsubscribe();
    this.#state = 'starting';
    // The feed has logged a failure.
    await making.catch(() => {});
    await following;
  }
}

type SettlementFanOutOptions = Pick<
  DeliveryEngineOptions,
  'deliveries' | 'settlements' | 'clock' | 'yieldToLoop' | 'fanOutBatchSize'
>;

interface SettlementFanOutRun {
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
class SettlementFanOut {
  readonly #options: SettlementFanOutOptions;
  readonly #targets: Targets;

  constructor(options: SettlementFanOutOptions, targets: Targets) {
    this.#options = options;
    this.#targets = targets;
  }

  /** Makes the rows of all outcomes that the log has got. Throws what the stores throw. */
  async make(run: SettlementFanOutRun): Promise<void> {
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
    { missedUntil, onAdded, signal }: SettlementFanOutRun,
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
class FanOut {
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
function wantsAlert({ categories, minScore, filters }: Webhook, alert: Alert): boolean {
  return (
    !alert.isHistory &&
    (categories?.includes(alert.category) ?? true) &&
    alert.score >= (minScore ?? 0) &&
    (filters === null || passesFilter(alert, filters))
  );
}
