import type { ApiKey } from '../../core/keys/api-key.ts';
import type { Tier, TierPolicy } from '../../core/tier.ts';

/** The caller of a protected route. */
export interface Caller {
  readonly key: ApiKey;
  readonly tier: Tier;
  /** The lookup part of the presented secret. */
  readonly lookup: string;
  readonly policy: TierPolicy;
}
