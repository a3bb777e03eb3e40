import type { Clock } from '../clock.ts';
import { SECRET_OVERLAP_MS, type Webhook, type WebhookSecrets } from './webhook.ts';

/** What deliveries to a webhook are signed with at this moment: its secret, and after a rotation the one before, too. */
export type SigningSecrets = (
  webhook: Pick<Webhook, 'id' | 'secretVersion' | 'rotatedAt'>,
) => Promise<readonly string[]>;

/** What the secrets stand on. */
export interface SigningSecretsDeps {
  readonly secretOf: WebhookSecrets;
  readonly clock: Pick<Clock, 'now'>;
}

/** The newest secret comes first; the one before it for less than `SECRET_OVERLAP_MS` after the rotation. */
export function createSigningSecrets({ secretOf, clock }: SigningSecretsDeps): SigningSecrets {
  return async (webhook) => {
    const { id, secretVersion, rotatedAt } = webhook;
    const isOverlap = rotatedAt !== null && clock.now() < rotatedAt + SECRET_OVERLAP_MS;
    const versions = isOverlap ? [secretVersion, secretVersion - 1] : [secretVersion];
    return Promise.all(versions.map((version) => secretOf({ id, secretVersion: version })));
  };
}
