import type { Exit, ExitStore } from '../../../core/alerts/exits/exit.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { Declaration, FindQuery, OpenCollection } from './collection.ts';

export const EXITS: Declaration<Exit> = {
  name: 'exits',
  fields: {
    number: 'integer',
    key: 'text',
    level: 'text',
    isCluster: 'boolean',
    wallet: 'text',
    marketId: 'text',
    outcome: 'text',
    outcomeIndex: 'integer',
    tradedAt: 'integer',
    alertedAt: 'integer',
    heldShares: 'number',
    peakShares: 'number',
    soldShares: 'number',
    salePrice: 'number?',
    profitUsdc: 'number?',
    threadId: 'integer',
    alertIds: 'json',
    eventTitle: 'text',
    eventSlug: 'text',
    marketEvent: 'text?',
    category: 'text',
    createdAt: 'integer',
    isHistory: 'boolean',
    log: { sequence: 'integer', hash: 'text' },
  },
  key: 'number',
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
    async known(keys) {
      const found = await exits.pick(['key'], { where: { key: { in: keys } } });
      return new Set(found.map(({ key }) => key));
    },
    setLog: async (number, log) => void (await exits.update({ where: { number }, set: { log } })),
    async last(until) {
      const [newest] = await find({ where: createdUntil(until), sort: ['-createdAt', '-number'], limit: 1 });
      return newest ?? null;
    },
    after: (number, limit, { until, ...of } = {}) =>
      find({ where: { ...of, number: { gt: number }, ...createdUntil(until) }, sort: ['number'], limit }),
    ofThreads: (threadIds, until) =>
      find({ where: { threadId: { in: threadIds }, ...createdUntil(until) }, sort: ['number'] }),
  };
}

function createdUntil(until: EpochMs | undefined): FindQuery<Exit>['where'] & object {
  return until === undefined ? {} : { createdAt: { lte: until } };
}
