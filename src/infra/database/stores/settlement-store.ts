import type { MarketSettlement, SettlementStore } from '../../../core/alerts/settlement.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const WITH_ALERTS = { resolved: { gt: 0 } };

export const RESOLUTIONS: Declaration<MarketSettlement> = {
  name: 'resolutions',
  fields: {
    marketId: 'text',
    seq: 'integer',
    outcomes: 'value',
    payouts: 'value',
    resolved: 'integer',
    won: 'integer',
    log: 'value?',
  },
  key: ['marketId'],
  optional: ['log'],
  unique: ['seq'],
  sqliteIndexes: { resolutions_with_alerts: { fields: ['resolved', 'won'], where: WITH_ALERTS } },
  mongoIndexes: [{ fields: ['resolved', 'won'] }],
};

export function createResolutionStore(open: OpenCollection): SettlementStore {
  const resolutions = open(RESOLUTIONS);
  return {
    async put(resolution) {
      const { marketId, seq } = resolution;
      if (!(await resolutions.put(resolution, { seq: { lte: seq } })))
        throw new Error(`resolutions: ${marketId} has a newer row than ${seq}`);
    },
    get: (marketId) => resolutions.get(marketId),
    after: (seq, limit) =>
      resolutions.find({ where: { seq: { gt: seq } }, sort: ['seq'], limit, isCommitted: true }),
    async lastSeq() {
      const [last] = await resolutions.pick(['seq'], { sort: ['-seq'], limit: 1, isCommitted: true });
      return last?.seq ?? 0;
    },
    totals: () => resolutions.sum(WITH_ALERTS, ['resolved', 'won']),
  };
}
