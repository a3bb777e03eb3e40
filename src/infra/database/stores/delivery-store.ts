import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryEnd,
  type DeliveryStore,
} from '../../../core/delivery/webhooks/delivery.ts';
import type { Collection, Declaration, FindQuery, OpenCollection } from './collection.ts';
import { createCursors } from './cursors.ts';

interface DeliveryRow extends Delivery {
  readonly claimedAt: number | null;
  /** The call that changed it last. */
  readonly call: string | null;
}

const PENDING = { state: 'pending' } as const;
const REQUESTED = { state: 'requested' } as const;
/** What a pending row has been made with. The rest is the same in all of them. */
const MADE = ['id', 'webhookId', 'alertId', 'outcome', 'exit', 'repeats', 'createdAt'] as const;
const UNSENT = { ...PENDING, finishedAt: null, result: null } as const;
const CLAIMED = { state: 'claimed' } as const;
type Ids = readonly string[];

const WAITING = { state: { in: ['pending', 'requested'] } } as const;
const ENDED = { state: { notIn: ['pending', 'claimed'] } } as const;

const PENDING_INDEX = 'deliveries_pending';
const REQUESTED_INDEX = 'deliveries_requested';
const CLAIMED_INDEX = 'deliveries_claimed';

export const DELIVERIES: Declaration<DeliveryRow> = {
  name: 'deliveries',
  fields: {
    id: 'text',
    webhookId: 'text',
    alertId: 'integer?',
    outcome: 'integer?',
    exit: 'integer?',
    repeats: 'text?',
    state: 'text',
    createdAt: 'integer',
    finishedAt: 'integer?',
    // Null where there was no attempt, or its outcome is unknown.
    result: { durationMs: 'integer', status: 'integer', error: 'text', retryAfterSeconds: 'integer' },
    claimedAt: 'integer?',
    call: 'text?',
  },
  key: ['id'],
  optional: ['outcome', 'exit', 'repeats'],
  isClustered: true,
  indexes: {
    deliveries_by_webhook: { fields: ['webhookId', 'createdAt', 'id'], on: 'sqlite' },
    deliveries_ended: { fields: ['webhookId', 'state', 'createdAt', 'id'], where: ENDED, on: 'sqlite' },
    deliveries_by_state: { fields: ['webhookId', 'state', 'createdAt', 'id'], on: 'mongodb' },
    deliveries_by_age: { fields: ['createdAt'] },
    [PENDING_INDEX]: { fields: ['createdAt', 'id'], where: PENDING },
    [CLAIMED_INDEX]: { fields: ['claimedAt', 'id'], where: CLAIMED },
    // With the state: in MongoDB an index has other fields than one with another condition.
    [REQUESTED_INDEX]: { fields: ['state', 'createdAt', 'id'], where: REQUESTED },
  },
};

/** The names of the cursors. */
const CURSORS = { alert: 'webhooks', outcome: 'webhook_outcomes', exit: 'webhook_exits' } as const;

/** A claim waits for the disk: lost in a power cut, it would be sent again. The rest may be lost. */
export function createDeliveryStore(open: OpenCollection, openQuick: OpenCollection): DeliveryStore {
  const durable = open(DELIVERIES);
  const deliveries = openQuick(DELIVERIES);
  const cursors = createCursors(openQuick);

  /** The ids that a call has changed, `matched` now; those of its earlier attempt match no longer. */
  async function changedBy(call: string, ids: Ids, matched: number): Promise<Ids> {
    if (matched === ids.length) return ids;
    return (await deliveries.pick(['id'], { where: { id: { in: ids }, call } })).map(({ id }) => id);
  }

  async function end(ends: readonly DeliveryEnd[], from: object, call: string): Promise<Ids> {
    if (ends.length === 0) return [];
    const updateOf = ({ id, state, finishedAt, result }: DeliveryEnd) => ({
      where: { id, ...from },
      change: { set: { state, finishedAt, result, call } },
    });
    const matched = await deliveries.updateEach(ends.map(updateOf));
    return changedBy(
      call,
      ends.map(({ id }) => id),
      matched,
    );
  }

  return {
    async add(added) {
      const unclaimed = { claimedAt: null, call: null };
      return (await deliveries.insertNew(added.map((each) => ({ ...each, ...unclaimed })))).map(toDelivery);
    },
    async claim(ids, { at: claimedAt, call }) {
      if (ids.length === 0) return [];
      const set = { ...CLAIMED, claimedAt, call };
      return changedBy(call, ids, await durable.update({ id: { in: ids }, ...WAITING }, { set }));
    },
    finish: (ends, call) => end(ends, CLAIMED, call),
    giveUp: (ends, call) => end(ends, WAITING, call),
    async prune({ createdBefore, limit }) {
      const where = { createdAt: { lt: createdBefore } };
      const old = await deliveries.pick(['id'], { where, sort: ['createdAt'], limit });
      return old.length === 0 ? 0 : deliveries.delete({ id: { in: old.map(({ id }) => id) } });
    },
    ...createReads(deliveries),
    countPending: () => deliveries.count(PENDING, PENDING_INDEX),
    cursor: (events = 'alert') => cursors.read(CURSORS[events]),
    advance: (last, events = 'alert') => cursors.advance(CURSORS[events], last),
  };
}

function createReads(deliveries: Collection<DeliveryRow>) {
  return {
    byIds: async (ids) => (await deliveries.find({ where: { id: { in: ids } } })).map(toDelivery),
    requested: async (limit) => {
      const query = { where: REQUESTED, sort: ['createdAt', 'id'], limit, index: REQUESTED_INDEX } as const;
      return (await deliveries.find(query)).map(toDelivery);
    },
    waiting: async ({ createdBefore = Number.MAX_SAFE_INTEGER, limit, after }) => {
      const where = { ...PENDING, createdAt: { lt: createdBefore } };
      const query = { where, sort: ['createdAt', 'id'], limit, after, index: PENDING_INDEX } as const;
      return (await deliveries.pick(MADE, query)).map((made) => ({ ...made, ...UNSENT }));
    },
    async claims({ claimedBefore, limit }) {
      const where = { ...CLAIMED, claimedAt: { lt: claimedBefore } };
      const query = { where, sort: ['claimedAt', 'id'], limit, index: CLAIMED_INDEX } as const;
      return (await deliveries.find(query)).map(toDelivery);
    },
    async list(webhookId, { limit, before, state }) {
      const [after] = before === undefined ? [] : await deliveries.find({ where: { id: before, webhookId } });
      if (before !== undefined && after === undefined) return [];
      const query = { ...ofWebhook(webhookId, state), sort: ['-createdAt', '-id'], limit, after } as const;
      return (await deliveries.find(query)).map(toDelivery);
    },
  } satisfies Partial<DeliveryStore>;
}

/** With the index: a few failures among a million deliveries are found without reading the others. */
function ofWebhook(
  webhookId: string,
  state: Delivery['state'] | undefined,
): Pick<FindQuery<DeliveryRow>, 'where' | 'index'> {
  // Every state is named, so that MongoDB's index by webhook and state serves: its parts are merged.
  if (state === undefined)
    return {
      where: { webhookId, state: { in: DELIVERY_STATES } },
      index: 'deliveries_by_webhook',
    };
  const where = { webhookId, state };
  if (state === 'pending') return { where, index: PENDING_INDEX };
  if (state === 'claimed') return { where, index: CLAIMED_INDEX };
  return { where: { ...where, and: [ENDED] }, index: 'deliveries_ended' };
}

function toDelivery({ claimedAt, call, ...delivery }: DeliveryRow): Delivery {
  return delivery;
}
