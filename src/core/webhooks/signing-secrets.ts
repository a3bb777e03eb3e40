import type { Clock } from '../clock.ts';
import { SECRET_OVERLAP_MS, type Webhook, type WebhookSecrets } from './webhook.ts';

/** The secrets that sign deliveries to a webhook now: its secret and, after a rotation, the previous one. */
export type SigningSecrets = (
  webhook: Pick<Webhook, 'id' | 'secretVersion' | 'rotatedAt'>,
) => Promise<readonly string[]>;

/** Newest first. The previous secret signs for less than `SECRET_OVERLAP_MS` after the rotation. */
export function createSigningSecrets(secretOf: WebhookSecrets, clock: Pick<Clock, 'now'>): SigningSecrets {
  return async (webhook) => {
    const { id, secretVersion, rotatedAt } = webhook;
    const isOverlap = rotatedAt !== null && clock.now() < rotatedAt + SECRET_OVERLAP_MS;
    const versions = isOverlap ? [secretVersion, secretVersion - 1] : [secretVersion];
    return Promise.all(versions.map((version) => secretOf({ id, secretVersion: version })));
  };
}
