import type { Model } from 'mongoose';
import { DELIVERY_STATES, type Delivery } from '../../core/webhooks/delivery.ts';
import type {
  DeliveryOutcome,
  DeliveryPageCursor,
  DeliveryStore,
} from '../../core/webhooks/delivery-store.ts';
import { CLAIMED_INDEX, type DeliveryDocument, PENDING_INDEX } from './delivery-model.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { insertNew } from './insert-new.ts';
import type { Models } from './models.ts';

const CURSOR = 'webhooks';

const UNCLAIMED = { owner: null, claimedAt: null, call: null };

type Deliveries = Model<DeliveryDocument>;

export function createMongoDeliveryStore({
  deliveries,
  deliveryCursors,
}: Pick<Models, 'deliveries' | 'deliveryCursors'>): DeliveryStore {
  return {
    ...createChanges(deliveries),
    ...createReads(deliveries),
    cursor: async () => (await deliveryCursors.findById(CURSOR).lean())?.alertId ?? null,
    async advance(alertId) {
      const advance = () =>
        deliveryCursors.updateOne({ _id: CURSOR }, { $max: { alertId } }, { upsert: true });
      // Two that make the first one at once: then it is there.
      await advance().catch((error) => (isDuplicateKey(error) ? advance() : Promise.reject(error)));
    },
  };
}

function createChanges(
  deliveries: Deliveries,
): Pick<DeliveryStore, 'add' | 'claim' | 'finish' | 'giveUp' | 'prune'> {
  /** Each document is changed by one call only; what bears its name was changed by it. */
  async function changedBy(call: string, ids: readonly string[]): Promise<string[]> {
    const found = await deliveries
      .find({ _id: { $in: [...ids] }, call })
      .select({ _id: 1 })
      .lean();
    return found.map(({ _id }) => _id);
  }

  async function end(outcomes: readonly DeliveryOutcome[], from: object, call: string): Promise<string[]> {
    if (outcomes.length === 0) return [];
    const writes = outcomes.map(({ id: _id, ...outcome }) => ({
      updateOne: { filter: { _id, ...from }, update: { $set: { ...outcome, call } } },
    }));
    await deliveries.bulkWrite(writes, { ordered: false });
    return changedBy(
      call,
      outcomes.map(({ id }) => id),
    );
  }

  return {
    async add(rows) {
      if (rows.length === 0) return [];
      const taken = await insertNew(
        deliveries,
        rows.map(({ id: _id, ...fields }) => ({ _id, ...fields, ...UNCLAIMED })),
      );
      return rows.filter((_, index) => !taken.has(index));
    },
    async claim(ids, { owner, at: claimedAt, call }) {
      if (ids.length === 0) return [];
      const change = { state: 'claimed', owner, claimedAt, call } as const;
      await deliveries.updateMany({ _id: { $in: [...ids] }, state: 'pending' }, { $set: change });
      return changedBy(call, ids);
    },
    finish: (owner, outcomes, call) => end(outcomes, { state: 'claimed', owner }, call),
    giveUp: (outcomes, call) => end(outcomes, { state: 'pending' }, call),
    async prune({ createdBefore, limit }) {
      const old = await deliveries
        .find({ createdAt: { $lt: createdBefore } })
        .sort({ createdAt: 1 })
        .limit(limit)
        .select({ _id: 1 })
        .lean();
      if (old.length === 0) return 0;
      return (await deliveries.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })).deletedCount;
    },
  };
}

function createReads(deliveries: Deliveries): Pick<DeliveryStore, 'waiting' | 'claims' | 'list'> {
  return {
    async waiting({ createdBefore, limit, after }) {
      const rest = after === undefined ? {} : beyond(after, '$gt');
      const createdAt = { $lt: createdBefore, $gte: after?.createdAt ?? 0 };
      const found = deliveries
        .find({ state: 'pending', createdAt, ...rest })
        .sort({ createdAt: 1, _id: 1 })
        .limit(limit)
        .hint(PENDING_INDEX);
      return (await found.lean()).map(toDelivery);
    },
    async claims(limit) {
      const found = deliveries.find({ state: 'claimed' }).sort({ claimedAt: 1, _id: 1 }).limit(limit);
      const documents = await found.hint(CLAIMED_INDEX).lean();
      return documents.map((document) => ({
        owner: document.owner ?? '',
        claimedAt: document.claimedAt ?? 0,
        delivery: toDelivery(document),
      }));
    },
    async list(webhookId, { limit, before, state }) {
      const last = before === undefined ? null : await deliveries.findOne({ _id: before, webhookId }).lean();
      if (before !== undefined && last === null) return [];
      // Every state is named, so that the index that begins with webhook and state serves: its parts are merged.
      const ofState = { webhookId, state: state ?? { $in: [...DELIVERY_STATES] } };
      const rest =
        last === null ? {} : { createdAt: { $lte: last.createdAt }, ...beyond(toDelivery(last), '$lt') };
      return (
        await deliveries
          .find({ ...ofState, ...rest })
          .sort({ createdAt: -1, _id: -1 })
          .limit(limit)
          .lean()
      ).map(toDelivery);
    },
  };
}

/** Beside a bound for `createdAt` that includes that of the place, by which the index is entered. */
function beyond({ id, createdAt }: DeliveryPageCursor, side: '$lt' | '$gt') {
  return { $or: [{ createdAt: { [side]: createdAt } }, { _id: { [side]: id } }] };
}

function toDelivery({
  _id,
  webhookId,
  alertId,
  state,
  createdAt,
  finishedAt,
  result,
}: DeliveryDocument): Delivery {
  return { id: _id, webhookId, alertId, state, createdAt, finishedAt, result };
}
