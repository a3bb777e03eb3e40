import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { PriceDay, PriceStore, WatchedMarket } from '../../../core/record/prices/watched-market.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createHolderCheck } from './lease-store.ts';

interface MarketRow {
  readonly marketId: string;
  /** Of the lease under which it was written last. */
  readonly epoch: number;
  readonly isOpen: boolean;
  readonly endsAt: EpochMs | null;
  readonly body: WatchedMarket;
}

interface DayRow extends PriceDay {
  readonly epoch: number;
}

const OPEN = { isOpen: true } as const;

const MARKETS: Declaration<MarketRow> = {
  name: 'watched_markets',
  fields: { marketId: 'text', epoch: 'integer', isOpen: 'boolean', endsAt: 'integer?', body: 'json' },
  key: ['marketId'],
  indexes: {
    watched_markets_open: { fields: ['isOpen', 'marketId'], where: OPEN },
    watched_markets_ending: { fields: ['isOpen', 'endsAt', 'marketId'], where: OPEN },
  },
};

const DAYS: Declaration<DayRow> = {
  name: 'price_days',
  fields: { marketId: 'text', day: 'integer', epoch: 'integer', points: 'json' },
  key: ['marketId', 'day'],
  separator: '/',
  isClustered: false,
  indexes: { price_days_of_market: { fields: ['marketId', 'day'], on: 'mongodb' } },
};

/**
 * Each row has the epoch under which it was written and is replaced only under the same or a newer one, so that a writer that
 * loses the lease between its check and its writes changes nothing of the next holder's. `openQuick`: a snapshot is written,
 * and waits for the disk, after the prices up to it; from there all is read again.
 */
export function createPriceStore(open: OpenCollection, openQuick: OpenCollection): PriceStore {
  const markets = openQuick(MARKETS);
  const days = openQuick(DAYS);
  const isHeld = createHolderCheck(open);
  return {
    async write(lease, batch) {
      if (!(await isHeld(lease))) return false;
      const { epoch } = lease;
      const over = { epoch: { lte: epoch } };
      const dayRows = batch.days.map((day) => ({ ...day, epoch }));
      const marketRows = batch.markets.map((body) => {
        const { marketId, endsAt, settledAt } = body;
        return { marketId, epoch, isOpen: settledAt === null, endsAt, body };
      });
      const areDaysWritten = dayRows.length === 0 || (await days.putEach(dayRows, over));
      return areDaysWritten && (marketRows.length === 0 || markets.putEach(marketRows, over));
    },
    async markets(ids) {
      const found = await markets.pick(['body'], { where: { marketId: { in: [...new Set(ids)] } } });
      return found.map(({ body }) => body);
    },
    async open({ after, limit }) {
      const where = { ...OPEN, marketId: { gt: after } };
      return (await markets.find({ where, sort: ['marketId'], limit })).map(({ body }) => body);
    },
    async endingNext({ from, limit }) {
      const where = { ...OPEN, endsAt: { gte: from } };
      const found = await markets.find({ where, sort: ['endsAt', 'marketId'], limit });
      return found.map(({ marketId }) => marketId);
    },
    async days(marketId, { from, before, limit }) {
      const where = { marketId, day: { gte: from, lt: before } };
      const found = await days.find({ where, sort: ['-day'], limit });
      return found.map(({ epoch: _epoch, ...day }) => day);
    },
  };
}
