import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../../base/documents/documents.ts';
import type { Lease, WorkerLease } from '../../base/lease/lease.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { DayQuery, PriceBatch, PriceDay, WatchedMarket } from './watched-market.ts';

const marketSchema = z.strictObject({
  /** Of the market. */
  id: z.string(),
  /** Of the lease under which it was written last. */
  epoch: z.int(),
  isOpen: z.boolean(),
  endsAt: z.int().nullable(),
  /** The `WatchedMarket`, as JSON. */
  body: z.string(),
});

const MARKETS: Declaration<z.infer<typeof marketSchema>> = {
  kind: 'watched_markets',
  schema: marketSchema,
  indexes: {
    watched_markets_open: { fields: ['isOpen'] },
    watched_markets_ending: { fields: ['isOpen', 'endsAt'] },
  },
};

const daySchema = z.strictObject({
  /** Market and day. */
  id: z.string(),
  marketId: z.string(),
  /** Days since the epoch. */
  day: z.int(),
  epoch: z.int(),
  /** The points, as JSON. */
  points: z.string(),
});

const DAYS: Declaration<z.infer<typeof daySchema>> = {
  kind: 'price_days',
  schema: daySchema,
  indexes: { price_days_of_market: { fields: ['marketId', 'day'] } },
};

/**
 * Prices of the markets with alerts. Kept permanently. Each document has the epoch under which it was written and is replaced only
 * under the same or a newer one, so that a writer that loses the lease between its check and its writes changes nothing of the next
 * holder's. Its writes are quick: a snapshot is written, and waits for the disk, after the prices up to it; from there all is read again.
 */
export class Prices {
  readonly #markets: Documents<z.infer<typeof marketSchema>>;
  readonly #days: Documents<z.infer<typeof daySchema>>;
  readonly #lease: Pick<WorkerLease, 'isHeld'>;

  constructor(open: OpenDocuments, lease: Pick<WorkerLease, 'isHeld'>) {
    this.#markets = open(MARKETS, { isQuick: true });
    this.#days = open(DAYS, { isQuick: true });
    this.#lease = lease;
  }

  /** Inserts or replaces days, then markets. False, and no document of a newer epoch changed, when the lease is no longer current. */
  async write(lease: Lease, batch: PriceBatch): Promise<boolean> {
    if (!(await this.#lease.isHeld(lease))) return false;
    const { epoch } = lease;
    const over = { epoch: { lte: epoch } };
    const days = batch.days.map(({ marketId, day, points }) => ({
      id: `${marketId}/${day}`,
      marketId,
      day,
      epoch,
      points: JSON.stringify(points),
    }));
    const markets = batch.markets.map((market) => ({
      id: market.marketId,
      epoch,
      isOpen: market.settledAt === null,
      endsAt: market.endsAt,
      body: JSON.stringify(market),
    }));
    return (await this.#days.put(days, over)) && this.#markets.put(markets, over);
  }

  /** Those of the markets that are watched, at most a few hundred. */
  async markets(ids: readonly string[]): Promise<readonly WatchedMarket[]> {
    const found = await this.#markets.find({ where: { id: { in: [...new Set(ids)] } } });
    return found.map(({ body }) => JSON.parse(body));
  }

  /** Unsettled markets, ascending by id after `after`. */
  async open({ after, limit }: { after: string; limit: number }): Promise<readonly WatchedMarket[]> {
    const query = { where: { isOpen: true }, order: 'id', after: { id: after }, limit } as const;
    return (await this.#markets.find(query)).map(({ body }) => JSON.parse(body));
  }

  /** Ids of unsettled markets whose stated end is at a moment or later, by that end. */
  async endingNext({ from, limit }: { from: EpochMs; limit: number }): Promise<readonly string[]> {
    const where = { isOpen: true, endsAt: { gte: from } };
    return (await this.#markets.find({ where, order: 'endsAt', limit })).map(({ id }) => id);
  }

  /** Days of a market's line, the newest first. */
  async days(marketId: string, { from, before, limit }: DayQuery): Promise<readonly PriceDay[]> {
    const where = { marketId, day: { gte: from, lt: before } };
    const found = await this.#days.find({ where, order: '-day', limit });
    return found.map(({ day, points }) => ({ marketId, day, points: JSON.parse(points) }));
  }
}
