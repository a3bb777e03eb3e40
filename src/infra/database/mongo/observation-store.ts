import { mongo } from 'mongoose';
import type { Lease } from '../../../core/base/lease/lease.ts';
import type {
  ObservationBatch,
  ObservationStore,
  ObservedMarket,
} from '../../../core/record/observations/observation-store.ts';
import { hourKey, hourKeys, hourOfKey, packText, unpackText } from '../observed-hours.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { heldBy, type Models } from './models.ts';

type ObservationModels = Pick<Models, 'leases' | 'observedMarkets' | 'observedHours'>;

/**
 * A stand-alone server has no transactions. Each document has the epoch under which it was written and is replaced only under
 * the same or a newer one, so that a writer that loses the lease between its check and its writes changes nothing of the
 * next holder's.
 */
export function createMongoObservationStore(models: ObservationModels): ObservationStore {
  const { leases, observedMarkets, observedHours } = models;
  return {
    async write(lease, batch) {
      for (;;) {
        if ((await leases.exists(heldBy(lease))) === null) return false;
        try {
          await writeMarkets(observedMarkets, lease, batch.markets);
          await writeHours(models, lease, batch.hours);
          return true;
        } catch (error) {
          // A document of a newer epoch, or a number that another writer has used: checking the lease distinguishes them.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },
    async market(marketId) {
      const found = await observedMarkets.findById(marketId).lean();
      return found === null ? null : JSON.parse(found.body);
    },
    markets: ({ after = '', limit }) => marketsOf(observedMarkets, { _id: { $gt: after } }, limit),
    open: ({ after = '', limit }) => marketsOf(observedMarkets, { isOpen: true, _id: { $gt: after } }, limit),
    async hours(marketId, { limit, ...range }) {
      const market = await observedMarkets.findById(marketId, { number: 1 }).lean();
      if (market === null) return [];
      const { first, end } = hourKeys(market.number, range);
      const query = observedHours.find({ _id: { $gte: first, $lt: end } }).sort({ _id: 1 });
      const found = await query.limit(limit).lean();
      return found.map(({ _id, text }) => ({
        marketId,
        hour: hourOfKey(_id),
        text: unpackText(text.buffer),
      }));
    },
  };
}

/** Ascending by id. */
async function marketsOf(
  observedMarkets: Models['observedMarkets'],
  where: { readonly isOpen?: true; readonly _id: { readonly $gt: string } },
  limit: number,
): Promise<readonly ObservedMarket[]> {
  const found = await observedMarkets.find(where).sort({ _id: 1 }).limit(limit).lean();
  return found.map(({ body }) => JSON.parse(body));
}

async function writeMarkets(
  observedMarkets: Models['observedMarkets'],
  { epoch }: Lease,
  markets: ObservationBatch['markets'],
): Promise<void> {
  if (markets.length === 0) return;
  const known = await numbersOf(observedMarkets, markets);
  const added = markets.filter(({ marketId }) => !known.has(marketId));
  const [last] = await observedMarkets.find({}, { number: 1 }).sort({ number: -1 }).limit(1).lean();
  const next = (last?.number ?? 0) + 1;
  const writes = markets.map((market) => {
    const { marketId, isOpen } = market;
    const $set = { epoch, isOpen, body: JSON.stringify(market) };
    const update = { $set, $setOnInsert: { number: next + added.indexOf(market) } };
    return { updateOne: { filter: { _id: marketId, epoch: { $lte: epoch } }, update, upsert: true } };
  });
  await observedMarkets.bulkWrite(writes);
}

async function writeHours(
  { observedMarkets, observedHours }: ObservationModels,
  { epoch }: Lease,
  hours: ObservationBatch['hours'],
): Promise<void> {
  if (hours.length === 0) return;
  // Read, not taken over from the markets' writes: another writer may have inserted the market under its own number.
  const numbers = await numbersOf(observedMarkets, hours);
  const writes = hours.map(({ marketId, hour, text }) => {
    const number = numbers.get(marketId);
    if (number === undefined) throw new Error(`hours of a market that is not observed: ${marketId}`);
    const filter = { _id: hourKey(number, hour), epoch: { $lte: epoch } };
    const $set = { epoch, text: new mongo.Binary(packText(text)) };
    return { updateOne: { filter, update: { $set }, upsert: true } };
  });
  await observedHours.bulkWrite(writes);
}

/** The numbers of the markets that have one; they never change. */
async function numbersOf(
  observedMarkets: Models['observedMarkets'],
  rows: readonly { readonly marketId: string }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set(rows.map(({ marketId }) => marketId));
  const found = await observedMarkets.find({ _id: { $in: [...ids] } }, { number: 1 }).lean();
  return new Map(found.map(({ _id, number }) => [_id, number]));
}
