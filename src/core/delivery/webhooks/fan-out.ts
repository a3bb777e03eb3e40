import type { Alert } from '../../alerts/alert.ts';
import { EVENT_KINDS, type EventKind } from '../../alerts/numbered-events.ts';
import { passesFilter } from '../../alerts/passes-filter.ts';
import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat, untilAborted } from '../../base/async/repeat.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import { DELIVERY_TIMES, deliveryId } from './delivery.ts';
import {
  type DeliveredEvents,
  type DeliveryEngineOptions,
  FAN_OUT_BATCH_SIZE,
} from './delivery-engine-options.ts';
import { targetOf, type WaitingDelivery } from './delivery-queue.ts';
import { type MessageMaker, mayHaveDeliveries } from './message-maker.ts';
import type { Webhook } from './webhook.ts';

const EVENTS_EVERY_MS = SECOND_MS;

interface FanOutStart {
  /**
   * The last alert, and event of each kind, when this process started: up to these, what is already too old is recorded as
   * expired.
   */
  readonly position: number;
  readonly last: Readonly<Record<EventKind, number>>;
  /** Called with the rows that this process has added, after each write. */
  readonly onAdded: (added: readonly WaitingDelivery[]) => void;
}

/** A row that has no time until it is written. */
interface DraftRow
  extends Pick<WaitingDelivery, 'id' | 'webhookId' | 'alertId' | EventKind | 'host' | 'keyId'> {
  /** When it was published, if that was before this process started. */
  readonly missedAt: EpochMs | null;
}

/** Makes the rows of each alert and event; rows are unique, and are written before the cursor advances. */
export class FanOut {
  readonly #options: DeliveryEngineOptions;
  readonly #messages: MessageMaker;
  readonly #start: FanOutStart;

  constructor(options: DeliveryEngineOptions, messages: MessageMaker, start: FanOutStart) {
    this.#options = options;
    this.#messages = messages;
    this.#start = start;
  }

  /** Continues after the alert `cursor`, the last whose rows are made. */
  async run(signal: AbortSignal, cursor: number): Promise<void> {
    const { feed, clock, logger } = this.#options;
    let making: Promise<void> = Promise.resolve();
    const unsubscribe = feed.subscribe(cursor, (alerts) => {
      making = this.#ofAlerts(alerts, signal);
      return making;
    });
    const following = EVENT_KINDS.map((kind) => {
      const failures = new FailureLog(
        logger,
        `fan-out of ${kind}s to webhooks failed; retrying every second`,
      );
      const pauses = { intervalMs: EVENTS_EVERY_MS, failures };
      return repeat(() => this.#ofEvents(kind, signal), { clock, signal, ...pauses });
    });
    await untilAborted(signal);
    unsubscribe();
    // The feed has logged a failure of the first, and the others log their own.
    await Promise.allSettled([making, ...following]);
  }

  /** Makes the rows of alerts in ascending order, then advances the cursor. */
  async #ofAlerts(alerts: readonly Alert[], signal: AbortSignal): Promise<void> {
    const webhooks = (await this.#activeWebhooks()).filter(({ events }) => events?.includes('alert') ?? true);
    const last = alerts.at(-1);
    const isDone = await this.#addRows(this.#draftsOf(alerts, webhooks), signal);
    if (isDone && last !== undefined) await this.#options.deliveries.advance(last.id);
  }

  *#draftsOf(alerts: readonly Alert[], webhooks: readonly Webhook[]): Generator<DraftRow> {
    for (const alert of alerts) {
      const { id: alertId, createdAt } = alert;
      const wanting = webhooks.filter((webhook) => wantsAlert(webhook, alert));
      if (wanting.length > 0) this.#messages.keep(alert);
      const missedAt = alertId <= this.#start.position ? createdAt : null;
      for (const webhook of wanting) {
        const id = deliveryId(webhook.id, alertId);
        yield { id, webhookId: webhook.id, alertId, missedAt, ...targetOf(webhook) };
      }
    }
  }

  /** Makes the rows of all new events of a kind, for the webhooks that want one of their alerts. */
  async #ofEvents(kind: EventKind, signal: AbortSignal): Promise<void> {
    const { deliveries, events } = this.#options;
    const last = await events[kind].numbered.last();
    let done = (await deliveries.cursor(kind)) ?? last;
    while (done < last && !signal.aborted) {
      const wanting = (await this.#activeWebhooks()).filter((webhook) => webhook.events?.includes(kind));
      const next = wanting.length === 0 ? last : done + 1;
      const drafts = wanting.length === 0 ? [] : await this.#draftsOfEvent(kind, next, wanting);
      if (!(await this.#addRows(drafts, signal))) return;
      done = next;
      await deliveries.advance(done, kind);
    }
  }

  async #draftsOfEvent(
    kind: EventKind,
    number: number,
    wanting: readonly Webhook[],
  ): Promise<readonly DraftRow[]> {
    const source: DeliveredEvents = this.#options.events[kind];
    const event = await source.numbered.one(number);
    if (event === null) return [];
    const missedAt = number <= this.#start.last[kind] ? source.publishedAt(event) : null;
    const concerned = await source.numbered.concerned(event, wanting, wantsAlert);
    return concerned.map((webhook) => {
      const id = deliveryId(webhook.id, `${kind}_${number}`);
      return { id, webhookId: webhook.id, alertId: null, [kind]: number, missedAt, ...targetOf(webhook) };
    });
  }

  /** Those whose owners may have deliveries now: a change that was answered before an alert applies to that alert. */
  async #activeWebhooks(): Promise<readonly Webhook[]> {
    const { webhooks, keys, clock } = this.#options;
    const active = await webhooks.active();
    const owners = await keys.byIds([...new Set(active.map(({ keyId }) => keyId))]);
    const ownerOf = new Map(owners.map((key) => [key.id, key]));
    return active.filter(({ keyId }) => mayHaveDeliveries(ownerOf.get(keyId), clock.now()));
  }

  /** False when the signal ended it between two writes: the next start makes the rest. */
  async #addRows(drafts: Iterable<DraftRow>, signal: AbortSignal): Promise<boolean> {
    const { fanOutBatchSize = FAN_OUT_BATCH_SIZE } = this.#options;
    let batch: DraftRow[] = [];
    for (const draft of drafts) {
      if (batch.push(draft) < fanOutBatchSize) continue;
      await this.#write(batch);
      if (signal.aborted) return false;
      batch = [];
    }
    if (batch.length > 0) await this.#write(batch);
    return true;
  }

  /** Adds rows and returns the new ones; rows get their time as they are written, in the order of ids. */
  async #write(drafts: readonly DraftRow[]): Promise<void> {
    const { deliveries, clock, yieldToLoop } = this.#options;
    const createdAt = clock.now();
    const oldest = createdAt - DELIVERY_TIMES.expiresAfterMs;
    const rows = drafts
      .map(({ missedAt, ...draft }) => {
        const isTooOld = missedAt !== null && missedAt < oldest;
        const end = isTooOld ? ({ state: 'expired', finishedAt: createdAt } as const) : PENDING;
        return { ...draft, createdAt, result: null, ...end };
      })
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const stored = await deliveries.add(rows.map(({ host, keyId, ...row }) => row));
    const added = new Set(stored.map(({ id }) => id));
    const news = rows.filter(({ id }) => added.has(id));
    if (news.length > 0) this.#start.onAdded(news);
    await yieldToLoop();
  }
}

const PENDING = { state: 'pending', finishedAt: null } as const;

/** Whether an alert passes a webhook's criteria (contract, Webhook delivery). Alerts from the history pass none. */
function wantsAlert({ categories, minScore, filters }: Webhook, alert: Alert): boolean {
  return (
    !alert.isHistory &&
    (categories?.includes(alert.category) ?? true) &&
    alert.score >= (minScore ?? 0) &&
    (filters === null || passesFilter(alert, filters))
  );
}
