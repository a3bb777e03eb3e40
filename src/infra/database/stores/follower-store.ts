import { PLATFORMS } from '../../../core/accounts/customers/customer.ts';
import type { FollowCounts, Follower, FollowerStore, FollowSubject } from '../../../core/follow/follower.ts';
import type { Declaration, OpenCollection } from './collection.ts';

/** The numbers of follows by kind, which no database could count inside of `follows`. */
interface FollowerRow extends Follower {
  readonly wallets: number;
  readonly markets: number;
  readonly filters: number;
}

const FOLLOWERS: Declaration<FollowerRow> = {
  name: 'followers',
  fields: {
    customerId: 'text',
    follows: 'json',
    mutes: 'json',
    zone: 'text?',
    quiet: { from: 'integer', to: 'integer' },
    platform: 'text',
    nextFollow: 'integer',
    createdAt: 'integer',
    changedAt: 'integer',
    version: 'integer',
    wallets: 'integer',
    markets: 'integer',
    filters: 'integer',
  },
  key: ['customerId'],
  indexes: { followers_by_change: { fields: ['changedAt', 'customerId'] } },
};

export function createFollowerStore(open: OpenCollection): FollowerStore {
  const followers = open(FOLLOWERS);
  return {
    async get(customerId) {
      const row = await followers.get(customerId);
      return row && toFollower(row);
    },
    byIds: async (ids) => (await followers.find({ where: { customerId: { in: ids } } })).map(toFollower),
    async put(follower) {
      const { customerId, version } = follower;
      const row = { ...follower, ...countsOf(follower), version: version + 1 };
      if (version === 0) return (await followers.insertNew([row])).length === 1;
      return (await followers.update({ customerId, version }, { set: row })) === 1;
    },
    remove: async (customerId) => void (await followers.delete({ customerId })),
    changedSince: async ({ since, limit, after }) => {
      const where = { changedAt: { gte: since } };
      const found = await followers.find({ where, sort: ['changedAt', 'customerId'], limit, after });
      return found.map(toFollower);
    },
    async counts() {
      const { wallets, markets, filters } = await followers.sum({}, ['wallets', 'markets', 'filters']);
      const byPlatform = await followers.countBy('platform');
      const platforms = Object.fromEntries(PLATFORMS.map((name) => [name, byPlatform.get(name) ?? 0]));
      return {
        people: [...byPlatform.values()].reduce((sum, held) => sum + held, 0),
        follows: { wallet: wallets, market: markets, filter: filters },
        platforms: platforms as FollowCounts['platforms'],
      };
    },
  };
}

function toFollower({ wallets, markets, filters, ...follower }: FollowerRow): Follower {
  return follower;
}

function countsOf({ follows }: Follower) {
  const of = (kind: FollowSubject['kind']) => follows.filter(({ subject }) => subject.kind === kind).length;
  return { wallets: of('wallet'), markets: of('market'), filters: of('filter') };
}
