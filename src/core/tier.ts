/** The contract's tiers, from the least to the most. */
export const TIERS = ['free', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** What a tier allows (contract, Authentication and Limits). */
export interface TierPolicy {
  /** Requests in a 60-second window; null is unlimited. */
  readonly requestsPerMinute: number | null;
  readonly maxPageSize: number;
  readonly isRealtime: boolean;
  readonly hasStream: boolean;
  /** Sockets a key may hold at once in one process. */
  readonly maxSockets: number;
  readonly hasWebhooks: boolean;
}

/** What each tier allows, as the contract's tables say. */
export const TIER_POLICIES: Readonly<Record<Tier, TierPolicy>> = {
  free: {
    requestsPerMinute: 60,
    maxPageSize: 20,
    isRealtime: false,
    hasStream: false,
    maxSockets: 0,
    hasWebhooks: false,
  },
  pro: {
    requestsPerMinute: 300,
    maxPageSize: 50,
    isRealtime: true,
    hasStream: true,
    maxSockets: 5,
    hasWebhooks: false,
  },
  enterprise: {
    requestsPerMinute: null,
    maxPageSize: 100,
    isRealtime: true,
    hasStream: true,
    maxSockets: 50,
    hasWebhooks: true,
  },
};
