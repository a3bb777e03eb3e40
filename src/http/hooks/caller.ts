import type { ApiKey } from '../../core/keys/api-key.ts';
import type { Tier, TierPolicy } from '../../core/tier.ts';

/** Who calls a protected route. */
export interface Caller {
  readonly key: ApiKey;
  readonly tier: Tier;
  /** Of the secret that was presented. */
  readonly lookup: string;
  readonly policy: TierPolicy;
}
