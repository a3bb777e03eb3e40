import type { Visitor } from '../../src/core/customers/customer.ts';

/** `unknown`: the platform would not say, and nobody is refused for that. `none`: there is no community to join. */
export type Membership = 'member' | 'not_member' | 'unknown' | 'none';

/** The community of a platform. */
export interface Community {
  /** Never throws. */
  membershipOf(visitor: Visitor): Promise<Membership>;
  /** Where to join; null when the platform would not say. */
  joinAddress(): Promise<string | null>;
}
