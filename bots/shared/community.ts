import type { Visitor } from '../../src/core/accounts/customers/customer.ts';

/** `unknown`: the platform did not answer; treated as a member. `none`: there is no community to join. */
export type Membership = 'member' | 'not_member' | 'unknown' | 'none';

/** The community of a platform. */
export interface Community {
  /** Never throws. */
  membershipOf(visitor: Visitor): Promise<Membership>;
  /** Address to join; null when there is none, or the platform did not answer: all visitors pass. */
  joinAddress(): Promise<string | null>;
}
