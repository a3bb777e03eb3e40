import { z } from 'zod';
import type { EventKind } from '../../alerts/numbered-events.ts';
import type { Declaration, Documents, OpenDocuments, Query, Where } from '../../base/documents/documents.ts';
import { NamedNumbers } from '../../base/documents/named-numbers.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryEnd,
  type DeliveryPage,
} from './delivery.ts';

const schema = z.strictObject({
  id: z.string(),
  webhookId: z.string(),
  alertId: z.int().nullable(),
  outcome: z.int().exactOptional(),
  exit: z.int().exactOptional(),
  repeats: z.string().exactOptional(),
  state: z.enum(DELIVERY_STATES),
  createdAt: z.int(),
  finishedAt: z.int().nullable(),
  result: z
    .strictObject({
      status: z.int().nullable(),
      error: z.enum(DELIVERY_ERRORS).nullable(),
      durationMs: z.int(),
      retryAfterSeconds: z.int().nullable(),
    })
    .nullable(),
  claimedAt: z.int().nullable(),
  /** The call that changed it last. */
  call: z.string().nullable(),
});
type DeliveryDocument = z.infer<typeof schema>;

const DELIVERIES: Declaration<DeliveryDocument> = {
  kind: 'deliveries',
  schema,
  indexes: {
    deliveries_by_webhook: { fields: ['webhookId', 'createdAt'] },
    deliveries_by_state: { fields: ['state', 'createdAt'] },
  },
};

const PENDING = { state: 'pending' } as const;
const CLAIMED = { state: 'claimed' } as const;
const WAITING = { state: { in: ['pending', 'requested'] } } as const;

interface WaitingQuery {
  readonly createdBefore?: EpochMs;
  readonly limit: number;
  readonly after?: Pick<Delivery, 'id' | 'createdAt'> | undefined;
}

interface ClaimsQuery {
  readonly claimedBefore: EpochMs;
  readonly limit: number;
}

/** The names of the cursors. */
const CURSORS = { alert: 'webhooks', outcome: 'webhook_outcomes', exit: 'webhook_exits' } as const;

/**
 * The outbox of webhooks, and their log: (alert, webhook) is unique, and a delivery is claimed once.
 *
 * `call` is the unique name of one change. A change returns what this call changed. It may be repeated when its answer was lost;
 * of two processes that make the same change, only one gets it as a result.
 */
export class Deliveries {
  /** A claim waits for the disk: lost in a power cut, it would be sent again. The rest may be lost. */
  readonly #durable: Documents<DeliveryDocument>;
  readonly #documents: Documents<DeliveryDocument>;
  readonly #cursors: NamedNumbers;

  constructor(open: OpenDocuments) {
    this.#durable = open(DELIVERIES);
    this.#documents = open(DELIVERIES, { isQuick: true });
    this.#cursors = new NamedNumbers(open, { isQuick: true });
  }

  /** Adds deliveries; those whose id is there already are left as they are. Returns those that were new. */
  async add(deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    const documents = deliveries.map((delivery) => ({ ...delivery, claimedAt: null, call: null }));
    return (await this.#documents.insertMissing(documents)).map(toDelivery);
  }

  /** Those that exist, in any order. */
  byIds(ids: readonly string[]): Promise<readonly Delivery[]> {
    return this.#find({ where: { id: { in: ids } } });
  }

  /** Those among them that were pending or requested and are now claimed; a delivery is never claimed again. */
  async claim(
    ids: readonly string[],
    { at: claimedAt, call }: { readonly at: EpochMs; readonly call: string },
  ): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const set = { ...CLAIMED, claimedAt, call };
    const matched = await this.#durable.update({ id: { in: ids }, ...WAITING }, { set });
    return this.#changedBy(call, ids, matched);
  }

  /** Pending ones, made before the moment if there is one, oldest first, ties by id, at most `limit`. */
  waiting({ createdBefore, limit, after: last }: WaitingQuery): Promise<readonly Delivery[]> {
    const createdAt = createdBefore === undefined ? undefined : { lt: createdBefore };
    const after = last && { value: last.createdAt, id: last.id };
    return this.#find({ where: { ...PENDING, createdAt }, order: 'createdAt', limit, after });
  }

  /** Requested ones, oldest first, ties by id, at most `limit`. */
  requested(limit: number): Promise<readonly Delivery[]> {
    return this.#find({ where: { state: 'requested' }, order: 'createdAt', limit });
  }

  /** Ends claimed ones. What is no longer claimed stays as it is. Returns the ids that ended. */
  finish(ends: readonly DeliveryEnd[], call: string): Promise<readonly string[]> {
    return this.#end(ends, CLAIMED, call);
  }

  /** Ends pending and requested ones. Returns the ids that ended. */
  giveUp(ends: readonly DeliveryEnd[], call: string): Promise<readonly string[]> {
    return this.#end(ends, WAITING, call);
  }

  /** What was claimed before the moment and has not ended, oldest delivery first, at most `limit`. */
  claims({ claimedBefore, limit }: ClaimsQuery): Promise<readonly Delivery[]> {
    const where = { ...CLAIMED, claimedAt: { lt: claimedBefore } };
    return this.#find({ where, order: 'createdAt', limit });
  }

  /**
   * The log of a webhook, newest first, ties by id descending. A `before` that is not an id of this webhook's deliveries gives
   * nothing.
   */
  async list(webhookId: string, { limit, before, state }: DeliveryPage): Promise<readonly Delivery[]> {
    const last = before === undefined ? null : await this.#documents.get(before);
    if (before !== undefined && last?.webhookId !== webhookId) return [];
    const after = last === null ? undefined : { value: last.createdAt, id: last.id };
    return this.#find({ where: { webhookId, state }, order: '-createdAt', limit, after });
  }

  countPending(): Promise<number> {
    return this.#documents.count(PENDING);
  }

  /** Removes deliveries made before the moment, at most `limit` of them. Returns how many. */
  async prune({ createdBefore, limit }: { createdBefore: EpochMs; limit: number }): Promise<number> {
    const where = { state: { in: DELIVERY_STATES }, createdAt: { lt: createdBefore } };
    const old = await this.#documents.find({ where, limit });
    return old.length === 0 ? 0 : this.#documents.delete({ id: { in: old.map(({ id }) => id) } });
  }

  /** The last alert, or event of a kind, up to which all deliveries are made; null before the first `advance`. Default: alerts. */
  cursor(events: 'alert' | EventKind = 'alert'): Promise<number | null> {
    return this.#cursors.read(CURSORS[events]);
  }

  /** Never goes back. */
  advance(last: number, events: 'alert' | EventKind = 'alert'): Promise<void> {
    return this.#cursors.raise(CURSORS[events], last);
  }

  async #find(query: Query<DeliveryDocument>): Promise<readonly Delivery[]> {
    return (await this.#documents.find(query)).map(toDelivery);
  }

  async #end(
    ends: readonly DeliveryEnd[],
    from: Where<DeliveryDocument>,
    call: string,
  ): Promise<readonly string[]> {
    if (ends.length === 0) return [];
    const updates = ends.map(({ id, state, finishedAt, result }) => ({
      where: { id, ...from },
      change: { set: { state, finishedAt, result, call } },
    }));
    const ids = ends.map(({ id }) => id);
    return this.#changedBy(call, ids, await this.#documents.updateEach(updates));
  }

  /** The ids that a call has changed, `matched` of them now; those of its earlier attempt match no longer. */
  async #changedBy(call: string, ids: readonly string[], matched: number): Promise<readonly string[]> {
    if (matched === ids.length) return ids;
    return (await this.#documents.find({ where: { id: { in: ids }, call } })).map(({ id }) => id);
  }
}

function toDelivery({ claimedAt, call, ...delivery }: DeliveryDocument): Delivery {
  return delivery;
}
