import { TIER_POLICIES, TIERS } from '../../src/core/accounts/tier.ts';

// Loaded before the service of an API check: its keys may ask without a limit, so that no 429 hides an answer. Everything else
// is that of the tier.
for (const tier of TIERS) Object.assign(TIER_POLICIES[tier], { requestsPerMinute: null });
