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

/** Kept bodies: each is sent to many webhooks within moments. */
const MAX_BODIES = 1_024;

/** What a delivery carries: the id of an alert, or an event by its number. */
type Subject = number | `${EventKind} ${number}`;

/** Makes the messages of deliveries. */
export class MessageMaker {
  readonly #options: DeliveryEngineOptions;
  readonly #bodies = new LRUCache<Subject, string>({ max: MAX_BODIES });

  constructor(options: DeliveryEngineOptions) {
    this.#options = options;
  }

  /** Keeps an alert's body for the deliveries that follow. */
  keep(alert: Alert): string {
    const body = this.#options.serialise(alert);
    this.#bodies.set(alert.id, body);
    return body;
  }

  /** Makes a message of each delivery; null where its webhook or key may not have it now. */
  async make(
    deliveries: readonly WaitingDelivery[],
  ): Promise<ReadonlyMap<WaitingDelivery, WebhookMessage | null>> {
    const webhooks = await this.#entitled(deliveries);
    const bodyOf = once((subject: Subject) => this.#bodyOf(subject));
    const secretsOf = once(this.#options.signingSecrets);
    const made = deliveries.map(async (delivery) => {
      const webhook = webhooks.get(delivery.webhookId);
      if (webhook === undefined) return [delivery, null] as const;
      const body = await bodyOf(subjectOf(delivery));
      if (body === null) return [delivery, null] as const;
      // A repeated delivery has the id of the first, so that the receiver recognises it.
      const id = delivery.repeats ?? delivery.id;
      return [delivery, { id, url: webhook.url, body, secrets: await secretsOf(webhook) }] as const;
    });
    return new Map(await Promise.all(made));
  }

  /** The same for every delivery of an alert or event, also for one that is repeated when more is known. */
  async #bodyOf(subject: Subject): Promise<string | null> {
    const { alerts, settlements, events } = this.#options;
    const kept = this.#bodies.get(subject);
    if (kept !== undefined) return kept;
    if (typeof subject === 'number') {
      const alert = await alerts.byId(subject);
      return alert === null ? null : this.keep(await settlements.asPublished(alert));
    }
    const [kind, number] = subject.split(' ');
    const source: DeliveredEvents = events[kind as EventKind];
    const event = await source.numbered.one(Number(number));
    if (event === null) return null;
    const body = source.serialise(event);
    this.#bodies.set(subject, body);
    return body;
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

/** Whether a key may be sent deliveries at a moment: not revoked, and its tier then has webhooks. */
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
