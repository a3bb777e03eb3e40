import { LRUCache } from 'lru-cache';
import { type ApiKey, effectiveTier } from '../../accounts/keys/api-key.ts';
import { TIER_POLICIES } from '../../accounts/tier.ts';
import type { Alert } from '../../alerts/alert.ts';
import type { EventKind } from '../../alerts/numbered-events.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { eventKindOf } from './delivery.ts';
import type { DeliveredEvents, DeliveryEngineOptions } from './delivery-engine-options.ts';
import type { WaitingDelivery } from './delivery-queue.ts';
import type { Webhook, WebhookMessage } from './webhook.ts';
import type { EventBodies, WriteMessage } from './webhook-format.ts';

/** Number of cached events: each is sent to many webhooks within moments. */
const MAX_EVENTS = 1_024;

/** What a delivery carries: the id of an alert, or an event by its number. */
type Subject = number | `${EventKind} ${number}`;

/** Makes the messages of deliveries. */
export class MessageMaker {
  readonly #options: DeliveryEngineOptions;
  readonly #events = new LRUCache<Subject, WrittenEvent>({ max: MAX_EVENTS });

  constructor(options: DeliveryEngineOptions) {
    this.#options = options;
  }

  /** Caches an alert for the deliveries that follow. */
  keep(alert: Alert): WrittenEvent {
    const written = new WrittenEvent(alert, this.#options);
    this.#events.set(alert.id, written);
    return written;
  }

  /** Makes the message of each delivery; null where its webhook or key is no longer entitled to it. */
  async make(
    deliveries: readonly WaitingDelivery[],
  ): Promise<ReadonlyMap<WaitingDelivery, WebhookMessage | null>> {
    const webhooks = await this.#entitled(deliveries);
    const eventOf = once((subject: Subject) => this.#eventOf(subject));
    const secretsOf = once(this.#options.signingSecrets);
    // Not cached: a wallet that has since been hidden must not be named when the delivery is repeated.
    const messageOf = once((event: WrittenEvent) => event.message());
    const made = deliveries.map(async (delivery) => {
      const webhook = webhooks.get(delivery.webhookId);
      if (webhook === undefined) return [delivery, null] as const;
      const event = await eventOf(subjectOf(delivery));
      const message = event && webhook.format !== 'json' ? await messageOf(event) : null;
      const written = event && this.#written(webhook, event, message);
      if (written === null) return [delivery, null] as const;
      // A repeated delivery has the id of the first, so that the receiver recognises it.
      const id = delivery.repeats ?? delivery.id;
      const { format } = webhook;
      return [delivery, { id, ...written, format, secrets: await secretsOf(webhook) }] as const;
    });
    return new Map(await Promise.all(made));
  }

  /** The same for every delivery of an alert or event, even a repeated one, although more may be known by then. */
  async #eventOf(subject: Subject): Promise<WrittenEvent | null> {
    const { alerts, settlements, events } = this.#options;
    const kept = this.#events.get(subject);
    if (kept !== undefined) return kept;
    if (typeof subject === 'number') {
      const alert = await alerts.byId(subject);
      return alert === null ? null : this.keep(await settlements.asPublished(alert));
    }
    const [kind, number] = subject.split(' ');
    const source: DeliveredEvents = events[kind as EventKind];
    const event = await source.numbered.one(Number(number));
    if (event === null) return null;
    const written = new WrittenEvent(event, source);
    this.#events.set(subject, written);
    return written;
  }

  /** Null where there is nothing to say. A text that cannot be produced must not hold up other deliveries. */
  #written(
    { id, url, format }: Webhook,
    event: WrittenEvent,
    message: WriteMessage | null,
  ): Pick<WebhookMessage, 'url' | 'body'> | null {
    try {
      return format === 'json' ? { url, body: event.json() } : (message?.({ url, format }) ?? null);
    } catch (error) {
      this.#options.logger.error({ err: error, webhook: id }, 'a webhook delivery could not be written');
      return null;
    }
  }

  async #entitled(deliveries: readonly WaitingDelivery[]): Promise<ReadonlyMap<string, Webhook>> {
    const { webhooks, keys, clock } = this.#options;
    const [found, owners] = await Promise.all([
      webhooks.byIds([...new Set(deliveries.map(({ webhookId }) => webhookId))]),
      keys.byIds([...new Set(deliveries.map(({ keyId }) => keyId))]),
    ]);
    const ownerOf = new Map(owners.map((key) => [key.id, key]));
    const now = clock.now();
    const may = found.filter(
      ({ isPaused, keyId }) => !isPaused && mayHaveDeliveries(ownerOf.get(keyId), now),
    );
    return new Map(may.map((webhook) => [webhook.id, webhook]));
  }
}

/** An alert or event as its webhooks get it. Its JSON is made for the first webhook that needs it. */
class WrittenEvent<Event = unknown> {
  readonly #event: Event;
  readonly #bodies: EventBodies<Event>;
  #json: string | undefined;

  constructor(event: Event, bodies: EventBodies<Event>) {
    this.#event = event;
    this.#bodies = bodies;
  }

  json(): string {
    this.#json ??= this.#bodies.serialise(this.#event);
    return this.#json;
  }

  message(): Promise<WriteMessage | null> {
    return this.#bodies.messageOf(this.#event);
  }
}

/** Whether a key may receive deliveries at a moment: it is not revoked, and its tier then includes webhooks. */
export function mayHaveDeliveries(key: ApiKey | undefined, now: EpochMs): boolean {
  return key !== undefined && key.revokedAt === null && TIER_POLICIES[effectiveTier(key, now)].hasWebhooks;
}

function subjectOf(delivery: WaitingDelivery): Subject {
  const kind = eventKindOf(delivery);
  return kind === undefined ? (delivery.alertId ?? 0) : `${kind} ${delivery[kind] ?? 0}`;
}

function once<Question, Answer>(ask: (question: Question) => Promise<Answer>) {
  const asked = new Map<Question, Promise<Answer>>();
  return (question: Question) => {
    const answer = asked.get(question) ?? ask(question);
    asked.set(question, answer);
    return answer;
  };
}
