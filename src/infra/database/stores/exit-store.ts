import type { Exit, ExitStore } from '../../../core/alerts/exits/exit.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { Declaration, FindQuery, OpenCollection } from './collection.ts';

export const EXITS: Declaration<Exit> = {
  name: 'exits',
  fields: {
    number: 'integer',
    key: 'text',
    corrects: 'integer?',
    sameSaleAs: 'integer?',
    level: 'text',
    kind: 'text',
    isCluster: 'boolean',
    wallet: 'text',
    marketId: 'text',
    outcome: 'text',
    outcomeIndex: 'integer',
    tradedAt: 'integer',
    alertedAt: 'integer',
    endsAt: 'integer?',
    heldShares: 'number',
    peakShares: 'number',
    soldShares: 'number',
    hedgedShares: 'number',
    salePrice: 'number?',
    profitUsdc: 'number?',
    members: 'json?',
    threadId: 'integer',
    alertIds: 'json',
    eventTitle: 'text',
    eventSlug: 'text',
    marketEvent: 'text?',
    category: 'text',
    detectedAt: 'integer',
    createdAt: 'integer',
    isHistory: 'boolean',
    log: { sequence: 'integer', hash: 'text' },
  },
  key: ['number'],
  unique: ['key'],
  indexes: {
    exits_by_thread: { fields: ['threadId', 'number'] },
    exits_by_wallet: { fields: ['wallet', 'number'] },
    exits_by_market: { fields: ['marketId', 'number'] },
    exits_by_time: { fields: ['createdAt', 'number'] },
  },
};

/** What a caller was shown must never be rolled back. */
export function createExitStore(open: OpenCollection): ExitStore {
  const exits = open(EXITS);
  const find = (query: FindQuery<Exit>) => exits.find({ ...query, isCommitted: true });
  return {
    append: async (...added) => ((await exits.insertInOrder(added)) ? 'appended' : 'taken'),
    async numbersOf(keys) {
      const found = await exits.pick(['key', 'number'], { where: { key: { in: keys } } });
      return new Map(found.map(({ key, number }) => [key, number]));
    },
    setLog: async (number, log) => void (await exits.update({ number }, { set: { log } })),
    async last(until) {
      const newest =
        until === undefined
          ? find({ sort: ['-number'], limit: 1 })
          : find({ where: { createdAt: { lte: until } }, sort: ['-createdAt', '-number'], limit: 1 });
      return (await newest)[0] ?? null;
    },
    byNumber: async (number) => (await find({ where: { number } }))[0] ?? null,
    after: (number, limit, { until, ...of } = {}) =>
      find({ where: { ...of, number: { gt: number }, ...createdUntil(until) }, sort: ['number'], limit }),
    ofThreads: (threadIds, until) =>
      find({ where: { threadId: { in: threadIds }, ...createdUntil(until) }, sort: ['number'] }),
  };
}

function createdUntil(until: EpochMs | undefined): FindQuery<Exit>['where'] & object {
  return until === undefined ? {} : { createdAt: { lte: until } };
}
