import type { Community } from '../shared/community.ts';

/** A community to try the way into: whoever is asked about a second time has joined it. */
export function pretendedCommunity(address: string): Community {
  const asked = new Set<string>();
  return {
    async membershipOf({ userId }) {
      const isKnown = asked.has(userId);
      asked.add(userId);
      return isKnown ? 'member' : 'not_member';
    },
    joinAddress: async () => address,
  };
}
