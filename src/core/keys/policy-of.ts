import { TIER_POLICIES, type Tier, type TierPolicy } from '../tier.ts';
import type { ApiKey } from './api-key.ts';

/** The policy of a key: that of the tier, with the agreed limits for an enterprise key. */
export function policyOf({ limits }: Pick<ApiKey, 'limits'>, tier: Tier): TierPolicy {
  const policy = TIER_POLICIES[tier];
  if (limits === null || tier !== 'enterprise') return policy;
  return {
    ...policy,
    requestsPerMinute: limits.requestsPerMinute ?? policy.requestsPerMinute,
    maxSockets: limits.maxSockets ?? policy.maxSockets,
  };
}
