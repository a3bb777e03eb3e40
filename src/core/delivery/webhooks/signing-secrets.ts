import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { SECRET_OVERLAP_MS, type Webhook, type WebhookSecrets } from './webhook.ts';

/**
 * The secrets that sign deliveries to a webhook now: its secret and, after a rotation, the previous one; after a change of the
 * key that they are derived from, also those of the former key.
 */
export type SigningSecrets = (
  webhook: Pick<Webhook, 'id' | 'secretVersion' | 'rotatedAt'>,
) => Promise<readonly string[]>;

/** Secrets of the former key, which sign until a moment. */
export interface FormerSecrets {
  readonly secretOf: WebhookSecrets;
  readonly until: EpochMs;
}

/** Newest first. The previous secret signs for less than `SECRET_OVERLAP_MS` after the rotation. */
export function createSigningSecrets(
  secretOf: WebhookSecrets,
  clock: Pick<Clock, 'now'>,
  former: FormerSecrets | null = null,
): SigningSecrets {
  return async (webhook) => {
    const { id, secretVersion, rotatedAt } = webhook;
    const isOverlap = rotatedAt !== null && clock.now() < rotatedAt + SECRET_OVERLAP_MS;
    const versions = isOverlap ? [secretVersion, secretVersion - 1] : [secretVersion];
    const keys = former !== null && clock.now() < former.until ? [secretOf, former.secretOf] : [secretOf];
    const secrets = keys.flatMap((of) => versions.map((version) => of({ id, secretVersion: version })));
    return Promise.all(secrets);
  };
}
