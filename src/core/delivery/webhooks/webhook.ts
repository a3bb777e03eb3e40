import type { Refused } from '../../accounts/keys/api-key.ts';
import { EVENT_KINDS } from '../../alerts/numbered-events.ts';
import type { LastingFilter } from '../../alerts/passes-filter.ts';
import type { Clock } from '../../base/time/clock.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import type { Category } from '../../trades/trade.ts';
import type { AttemptResult } from './delivery.ts';
import type { WebhookFormat } from './webhook-format.ts';

/** What a webhook can be sent. */
export const WEBHOOK_EVENTS = ['alert', ...EVENT_KINDS] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Where a key wants its alerts sent (contract, Webhook registration). */
export interface Webhook {
  /** `wh_` and 16 characters. */
  readonly id: string;
  /** Id of the key it belongs to; a rotation of the key keeps it. */
  readonly keyId: string;
  /** https, normalised by `URL`. The key has one webhook per URL. */
  readonly url: string;
  /** How its events are written; fixed, like the URL. */
  readonly format: WebhookFormat;
  /** Null is every category. */
  readonly categories: readonly Category[] | null;
  /** Alerts of this score or above are sent; null is every score. */
  readonly minScore: number | null;
  /** Conditions beyond those of the contract; all must match. Null: none. */
  readonly filters: LastingFilter | null;
  /** Null is alerts only. */
  readonly events: readonly WebhookEvent[] | null;
  /** The secret is derived from the id and this number, so that it can be changed without being stored. */
  readonly secretVersion: number;
  /** When the secret was last rotated; the one before it is valid for `SECRET_OVERLAP_MS` more. Null: never. */
  readonly rotatedAt: EpochMs | null;
  /** While it is paused nothing is sent; alerts published meanwhile are not sent later. */
  readonly isPaused: boolean;
  readonly createdAt: EpochMs;
  /** Deliveries so far, by how they ended. */
  readonly delivered: number;
  readonly failed: number;
  /** Failed attempts since the last that was delivered. */
  readonly failuresInRow: number;
}

/** Limits; `urlLength` is in characters (UTF-16 units). */
export const WEBHOOK_LIMITS = { perKey: 20, urlLength: 2_048 } as const;

/** How long deliveries are signed with both secrets after a rotation. */
export const SECRET_OVERLAP_MS = DAY_MS;

/** `whsec_` and base64 of 32 bytes (Standard Webhooks), the same for each webhook and version. */
export type WebhookSecrets = (webhook: Pick<Webhook, 'id' | 'secretVersion'>) => Promise<string>;

/** What an owner may change; absent fields stay. */
export type WebhookChange = Partial<
  Pick<Webhook, 'categories' | 'minScore' | 'filters' | 'events' | 'isPaused'>
>;

/** Outcomes of one webhook, to be added to its counts. */
export interface WebhookCounts {
  readonly id: string;
  readonly delivered: number;
  readonly failed: number;
  /** Failed attempts after the last successful one; all of them when none succeeded. */
  readonly failuresAtEnd: number;
}

/** Why a webhook cannot be added. `url_taken`: the key's webhook `id` has the URL. */
export type WebhookRefusal = Refused<'too_many'> | (Refused<'url_taken'> & { readonly id: string });

/** One POST. */
export interface WebhookMessage {
  /** The header `webhook-id`. */
  readonly id: string;
  /** https. */
  readonly url: string;
  /** JSON; exactly these bytes are signed and sent. */
  readonly body: string;
  /** Only 200 acknowledges `json` (contract), any 2xx the others: Discord answers 204. */
  readonly format: WebhookFormat;
  /** `whsec_…`, one to four (after a rotation, after a change of the key); each signs. */
  readonly secrets: readonly string[];
}

/** Makes one attempt per message. */
export interface WebhookSender {
  /** Ends within 5 seconds. Faults of the receiver are results, never exceptions. */
  send(message: WebhookMessage): Promise<AttemptResult>;
  /** Waits for attempts in flight, then closes every connection. */
  close(): Promise<void>;
}

/**
 * The secrets that currently sign deliveries to a webhook: its secret; after a rotation, also the previous one; while
 * `SECRET_KEY_PREVIOUS` is set, also the secrets derived from that key.
 */
export type SigningSecrets = (
  webhook: Pick<Webhook, 'id' | 'secretVersion' | 'rotatedAt'>,
) => Promise<readonly string[]>;

/** Newest first. The previous secret signs for less than `SECRET_OVERLAP_MS` after the rotation. */
export function createSigningSecrets(
  secretOf: WebhookSecrets,
  clock: Pick<Clock, 'now'>,
  former: WebhookSecrets | null = null,
): SigningSecrets {
  return async (webhook) => {
    const { id, secretVersion, rotatedAt } = webhook;
    const isOverlap = rotatedAt !== null && clock.now() < rotatedAt + SECRET_OVERLAP_MS;
    const versions = isOverlap ? [secretVersion, secretVersion - 1] : [secretVersion];
    const keys = former === null ? [secretOf] : [secretOf, former];
    const secrets = keys.flatMap((of) => versions.map((version) => of({ id, secretVersion: version })));
    return Promise.all(secrets);
  };
}
