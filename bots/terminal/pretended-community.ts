import type { Community } from '../shared/community.ts';

/** A community for trials: a person has joined it from the second query on. */
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
