import { LRUCache } from 'lru-cache';
import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { Clock } from '../clock.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { mayHaveDeliveries } from './matches.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { WaitingDelivery } from './target-queues.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookMessage } from './webhook-sender.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Bodies that are kept: each goes to many webhooks, within moments. */
const BODIES = 1_024;

/** What messages are made of. */
export interface MessageMakerDeps {
  readonly webhooks: Pick<WebhookStore, 'byIds'>;
  readonly keys: Pick<KeyStore, 'byIds'>;
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly signingSecrets: SigningSecrets;
  /** The body of an alert's deliveries, JSON. */
  readonly serialise: (alert: Alert) => string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Makes what is sent. */
export interface MessageMaker {
  /** Keeps an alert's body for the deliveries that follow. */
  keep(alert: Alert): void;
  /**
   * Reads webhooks and owners, and makes a message of each delivery; null where there is nothing to be sent any more:
   * the webhook is gone or paused, or its key may not have webhooks now. Throws what the stores throw.
   */
  make(
    candidates: readonly WaitingDelivery[],
  ): Promise<readonly { readonly candidate: WaitingDelivery; readonly message: WebhookMessage | null }[]>;
}

/** Keeps no body yet. */
export function createMessageMaker(deps: MessageMakerDeps): MessageMaker {
  const { webhooks, keys, alerts, serialise, signingSecrets, clock } = deps;
  const bodies = new LRUCache<string, string>({ max: BODIES });

  async function bodyOf(alertId: number): Promise<string | null> {
    const kept = bodies.get(String(alertId));
    if (kept !== undefined) return kept;
    const alert = await alerts.byId(alertId);
    if (alert === null) return null;
    const body = serialise(alert);
    bodies.set(String(alertId), body);
    return body;
  }

  async function entitled(candidates: readonly WaitingDelivery[]): Promise<ReadonlyMap<string, Webhook>> {
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

  return {
    keep: (alert) => bodies.set(String(alert.id), serialise(alert)),
    async make(candidates) {
      const targets = await entitled(candidates);
      const bodyFor = once(bodyOf);
      const secretsFor = once(signingSecrets);
      return Promise.all(
        candidates.map(async (candidate) => {
          const webhook = targets.get(candidate.webhookId);
          const body = webhook === undefined ? null : await bodyFor(candidate.alertId);
          if (webhook === undefined || body === null) return { candidate, message: null };
          const secrets = await secretsFor(webhook);
          return { candidate, message: { id: candidate.id, url: webhook.url, body, secrets } };
        }),
      );
    },
  };
}

function distinct(
  candidates: readonly WaitingDelivery[],
  of: (candidate: WaitingDelivery) => string,
): string[] {
  return [...new Set(candidates.map(of))];
}

/** Asks for the same thing once. */
function once<Question, Answer>(ask: (question: Question) => Promise<Answer>) {
  const asked = new Map<Question, Promise<Answer>>();
  return (question: Question) => {
    const answer = asked.get(question) ?? ask(question);
    asked.set(question, answer);
    return answer;
  };
}
