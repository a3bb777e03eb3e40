import type { MarketSettlement, SettlementStore } from '../../../core/alerts/settlement.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const WITH_ALERTS = { resolved: { gt: 0 } };

export const SETTLEMENTS: Declaration<MarketSettlement> = {
  name: 'settlements',
  fields: {
    marketId: 'text',
    seq: 'integer',
    outcomes: 'value',
    payouts: 'value',
    resolved: 'integer',
    won: 'integer',
    log: 'value',
  },
  key: 'marketId',
  unique: ['seq'],
  indexes: {
    settlements_by_change: { fields: ['seq'], where: WITH_ALERTS },
  },
};

export function createSettlementStore(open: OpenCollection): SettlementStore {
  const settlements = open(SETTLEMENTS);
  return {
    async put(settlement) {
      const { marketId, seq } = settlement;
      if (!(await settlements.put(settlement, { seq: { lte: seq } })))
        throw new Error(`settlements: ${marketId} has a newer row than ${seq}`);
    },
    get: async (marketId) => (await settlements.find({ where: { marketId } }))[0] ?? null,
    some: (marketIds) => settlements.find({ where: { marketId: { in: marketIds } } }),
    after: (seq, limit) =>
      settlements.find({ where: { seq: { gt: seq } }, sort: ['seq'], limit, isCommitted: true }),
    async lastSeq() {
      const [last] = await settlements.pick(['seq'], { sort: ['-seq'], limit: 1, isCommitted: true });
      return last?.seq ?? 0;
    },
    newest: (limit) =>
      settlements.find({
        where: WITH_ALERTS,
        sort: ['-seq'],
        limit,
        isCommitted: true,
        index: 'settlements_by_change',
      }),
  };
}
