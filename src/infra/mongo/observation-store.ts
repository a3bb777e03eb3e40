import { mongo } from 'mongoose';
import type { Lease } from '../../core/ports/lease-store.ts';
import type { ObservationBatch, ObservationStore } from '../../core/ports/observation-store.ts';
import { hourKey, hourKeys, hourOfKey, packText, unpackText } from '../database/observed-hours.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { heldBy } from './ingest-model.ts';
import type { Models } from './models.ts';

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
          await writeBatch(models, lease, batch);
          return true;
        } catch (error) {
          // A newer epoch's document, or a number that another writer gave away: the lease shows which.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },
    async market(marketId) {
      const found = await observedMarkets.findById(marketId).lean();
      return found === null ? null : JSON.parse(found.body);
    },
    async open({ after = '', limit }) {
      const query = observedMarkets.find({ isOpen: true, _id: { $gt: after } }).sort({ _id: 1 });
      return (await query.limit(limit).lean()).map(({ body }) => JSON.parse(body));
    },
    async hours(marketId, { limit, ...range }) {
      const market = await observedMarkets.findById(marketId, { number: 1 }).lean();
      if (market === null) return [];
      const { first, end } = hourKeys(market.number, range);
      const query = observedHours.find({ _id: { $gte: first, $lt: end } }).sort({ _id: 1 });
      const unpacked = (await query.limit(limit).lean()).map(async ({ _id, text }) => ({
        marketId,
        hour: hourOfKey(_id),
        text: await unpackText(text.buffer),
      }));
      return Promise.all(unpacked);
    },
  };
}

/** Throws a duplicate key error where a newer epoch has written, or another writer has taken a number. */
async function writeBatch(
  { observedMarkets, observedHours }: ObservationModels,
  { epoch }: Lease,
  { markets, hours }: ObservationBatch,
): Promise<void> {
  const numbers = await numbersOf(observedMarkets, { markets, hours });
  const older = { $lte: epoch };
  const marketWrites = markets.map((market) => {
    const { marketId, isOpen } = market;
    const $set = { epoch, isOpen, body: JSON.stringify(market) };
    const update = { $set, $setOnInsert: { number: numbers.get(marketId) } };
    return { updateOne: { filter: { _id: marketId, epoch: older }, update, upsert: true } };
  });
  const hourWrites = hours.map(async ({ marketId, hour, text }) => {
    const number = numbers.get(marketId);
    if (number === undefined) throw new Error(`hours of a market that is not observed: ${marketId}`);
    const $set = { epoch, text: new mongo.Binary(await packText(text)) };
    const filter = { _id: hourKey(number, hour), epoch: older };
    return { updateOne: { filter, update: { $set }, upsert: true } };
  });
  const packed = await Promise.all(hourWrites);
  if (marketWrites.length > 0) await observedMarkets.bulkWrite(marketWrites);
  if (packed.length > 0) await observedHours.bulkWrite(packed);
}

/** The numbers of the batch's markets; those that have none get the next ones. */
async function numbersOf(
  observedMarkets: Models['observedMarkets'],
  { markets, hours }: ObservationBatch,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set([...markets, ...hours].map(({ marketId }) => marketId));
  const known = await observedMarkets.find({ _id: { $in: [...ids] } }, { number: 1 }).lean();
  const numbers = new Map(known.map(({ _id, number }) => [_id, number]));
  const added = markets.filter(({ marketId }) => !numbers.has(marketId));
  if (added.length === 0) return numbers;
  const [last] = await observedMarkets.find({}, { number: 1 }).sort({ number: -1 }).limit(1).lean();
  for (const [index, { marketId }] of added.entries()) numbers.set(marketId, (last?.number ?? 0) + 1 + index);
  return numbers;
}
