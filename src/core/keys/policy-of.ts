import { TIER_POLICIES, type Tier, type TierPolicy } from '../tier.ts';
import type { ApiKey } from './api-key.ts';

/** What a key may do at a tier: what the tier allows, and for an enterprise key what was agreed instead. */
export function policyOf({ limits }: Pick<ApiKey, 'limits'>, tier: Tier): TierPolicy {
  const policy = TIER_POLICIES[tier];
  if (limits === null || tier !== 'enterprise') return policy;
  return {
    ...policy,
    requestsPerMinute: limits.requestsPerMinute ?? policy.requestsPerMinute,
    maxSockets: limits.maxSockets ?? policy.maxSockets,
  };
}
