import { LRUCache } from 'lru-cache';
import type { Alert } from '../../alerts/alert.ts';
import { messageIdOf } from './delivery.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';
import type { WaitingDelivery } from './target-queues.ts';
import { mayHaveDeliveries } from './targets.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookMessage } from './webhook-sender.ts';

/** Kept bodies: each is sent to many webhooks within moments. */
const MAX_BODIES = 1_024;

type Options = Pick<
  DeliveryEngineOptions,
  | 'webhooks'
  | 'keys'
  | 'alerts'
  | 'settlements'
  | 'signingSecrets'
  | 'serialise'
  | 'serialiseOutcome'
  | 'clock'
>;

/** What a delivery carries: the id of an alert, or an outcome by its number. */
type Subject = number | `outcome ${number}`;

/** A delivery with its message; null: it must not be sent any more. */
interface MadeMessage {
  readonly candidate: WaitingDelivery;
  readonly message: WebhookMessage | null;
}

/** Makes the messages of deliveries. */
export class MessageMaker {
  readonly #options: Options;
  readonly #bodies = new LRUCache<Subject, string>({ max: MAX_BODIES });

  constructor(options: Options) {
    this.#options = options;
  }

  /** Keeps an alert's body for the deliveries that follow. */
  keep(alert: Alert): string {
    const body = this.#options.serialise(alert);
    this.#bodies.set(alert.id, body);
    return body;
  }

  /**
   * Reads webhooks and owners, and makes a message of each delivery; null where the webhook is gone or paused, or its
   * key may not have webhooks now. Throws what the stores throw.
   */
  async make(candidates: readonly WaitingDelivery[]): Promise<readonly MadeMessage[]> {
    const targets = await this.#entitled(candidates);
    const bodyOf = once((subject: Subject) => this.#bodyOf(subject));
    const secretsOf = once(this.#options.signingSecrets);
    return Promise.all(
      candidates.map(async (candidate) => {
        const webhook = targets.get(candidate.webhookId);
        const body = webhook === undefined ? null : await bodyOf(subjectOf(candidate));
        if (webhook === undefined || body === null) return { candidate, message: null };
        const secrets = await secretsOf(webhook);
        return { candidate, message: { id: messageIdOf(candidate), url: webhook.url, body, secrets } };
      }),
    );
  }

  /** The same for every delivery of an alert or outcome, also for one that is repeated when more is known. */
  async #bodyOf(subject: Subject): Promise<string | null> {
    const { alerts, settlements, serialiseOutcome } = this.#options;
    const kept = this.#bodies.get(subject);
    if (kept !== undefined) return kept;
    if (typeof subject === 'number') {
      const alert = await alerts.byId(subject);
      return alert === null ? null : this.keep(await settlements.asPublished(alert));
    }
    const number = Number(subject.slice('outcome '.length));
    if (settlements.sequence.last < number) await settlements.sequence.refresh();
    const settled = await settlements.one(number);
    if (settled === null) return null;
    const body = serialiseOutcome(settled);
    this.#bodies.set(subject, body);
    return body;
  }

  async #entitled(candidates: readonly WaitingDelivery[]): Promise<ReadonlyMap<string, Webhook>> {
    const { webhooks, keys, clock } = this.#options;
    const [found, owners] = await Promise.all([
      webhooks.byIds(distinct(candidates, ({ webhookId }) => webhookId)),
      keys.byIds(distinct(candidates, ({ keyId }) => keyId)),
    ]);
    const ownerOf = new Map(owners.map((key) => [key.id, key]));
    const now = clock.now();
    const may = found.filter(
      ({ isPaused, keyId }) => !isPaused && mayHaveDeliveries(ownerOf.get(keyId), now),
    );
    return new Map(may.map((webhook) => [webhook.id, webhook]));
  }
}

function subjectOf({ alertId, outcome }: WaitingDelivery): Subject {
  return outcome === undefined ? (alertId ?? 0) : `outcome ${outcome}`;
}

function distinct(
  candidates: readonly WaitingDelivery[],
  of: (candidate: WaitingDelivery) => string,
): string[] {
  return [...new Set(candidates.map(of))];
}

/** Asks each question once. */
function once<Question, Answer>(ask: (question: Question) => Promise<Answer>) {
  const asked = new Map<Question, Promise<Answer>>();
  return (question: Question) => {
    const answer = asked.get(question) ?? ask(question);
    asked.set(question, answer);
    return answer;
  };
}
