/** Tiers of the contract, lowest first. */
export const TIERS = ['free', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** Limits and features of a tier (contract, Authentication and Limits). */
export interface TierPolicy {
  /** Requests in a 60-second window; null is unlimited. */
  readonly requestsPerMinute: number | null;
  readonly maxPageSize: number;
  readonly isRealtime: boolean;
  readonly hasStream: boolean;
  /** Open sockets per key and process. */
  readonly maxSockets: number;
  readonly hasWebhooks: boolean;
}

/** Limits and features of each tier. */
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
