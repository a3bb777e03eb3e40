import { LRUCache } from 'lru-cache';
import type { EpochMs } from '../../base/time/duration.ts';
import type { AttemptResults } from './attempt-results.ts';
import { DELIVERY_TIMES, type Delivery } from './delivery.ts';
import type { DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryPageCursor, WebhookRange } from './delivery-store.ts';
import type { Shares } from './shares.ts';
import { type Address, addressOf } from './target-queues.ts';

/** Rows of one read, and of one write of those that are given up. */
export const WAITING_PAGE_SIZE = 500;

/** Addresses that are kept; a row whose webhook is not among them costs a read. */
const ADDRESSES_MAX = 20_000;

type WaitingOptions = Pick<
  DeliveryEngineOptions,
  'deliveries' | 'webhooks' | 'yieldToLoop' | 'clock' | 'logger'
>;

/** Parts of the engine for rows that wait in the store. */
export interface WaitingParts {
  readonly queue: DeliveryQueue;
  readonly outcomes: AttemptResults;
  readonly calls: StoreCalls;
  readonly shares: Shares;
  /** Whether this process makes the rows itself. */
  readonly makesRows: () => boolean;
  /** Queues rows that wait. Returns how many had room. */
  readonly enqueue: (rows: readonly { readonly delivery: Delivery; readonly address: Address }[]) => number;
}

/** Queues rows that wait in the store and that this process has not made, or had no room for. */
export class WaitingRows {
  readonly #options: WaitingOptions;
  readonly #parts: WaitingParts;
  /** The last row of the sweep of strays; undefined at its beginning. */
  #strayCursor: DeliveryPageCursor | undefined;
  /** The last row that was read of those that another process makes; undefined before the first. */
  #newCursor: DeliveryPageCursor | undefined;
  /** By the webhook's id. They never change, and a delivery of a deleted webhook is cancelled when it is claimed. */
  readonly #addresses = new LRUCache<string, Address>({ max: ADDRESSES_MAX });

  constructor(options: WaitingOptions, parts: WaitingParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * Queues this process's share of the rows that another process has made since the last call. A row that comes before
   * one already read, as clocks of hosts differ, becomes a stray.
   */
  async followNew(signal: AbortSignal): Promise<void> {
    const { makesRows, shares } = this.#parts;
    const isAhead = (this.#newCursor?.createdAt ?? 0) > this.#options.clock.now();
    if (makesRows() || isAhead) this.#newCursor = undefined;
    while (!signal.aborted && !makesRows()) {
      const page = { createdBefore: Number.MAX_SAFE_INTEGER, webhooks: shares.own() };
      const found = await this.#read(page, this.#newCursor);
      this.#newCursor = found.at(-1) ?? this.#newCursor;
      await this.#take(found);
      if (found.length < WAITING_PAGE_SIZE) return;
      await this.#options.yieldToLoop();
    }
  }

  /**
   * Finds waiting rows that no memory holds: those of a process that died, and those for which there was no room. Reads the
   * next page, and further pages while there is room for rows; after the last page it begins again.
   */
  async sweepStrays(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const createdBefore = this.#options.clock.now() - DELIVERY_TIMES.straysAfterMs;
      const found = await this.#read({ createdBefore }, this.#strayCursor);
      this.#strayCursor = found.length < WAITING_PAGE_SIZE ? undefined : found.at(-1);
      const taken = await this.#take(found);
      if (this.#strayCursor === undefined || taken === 0) return;
      await this.#options.yieldToLoop();
    }
  }

  /** Queues the deliveries that owners want repeated, in every process: the claim decides. Ends those that waited too long. */
  async takeRequested(): Promise<void> {
    const found = await this.#options.deliveries.requested(WAITING_PAGE_SIZE);
    const oldest = this.#options.clock.now() - DELIVERY_TIMES.expiresAfterMs;
    const { late = [], due = [] } = Object.groupBy(found, ({ createdAt }) =>
      createdAt < oldest ? 'late' : 'due',
    );
    await this.giveUp(late, 'expired');
    await this.#take(due);
  }

  /** Ends rows that wait, without an attempt. */
  async giveUp(rows: readonly Delivery[], state: 'expired' | 'cancelled'): Promise<void> {
    if (rows.length === 0) return;
    const { deliveries, clock, logger } = this.#options;
    const { outcomes, calls } = this.#parts;
    const ends = rows.map(({ id }) => ({ id, state, finishedAt: clock.now(), result: null }));
    const ended = new Set(await deliveries.giveUp(ends, calls.nextCall()));
    outcomes.count(rows.filter(({ id }) => ended.has(id)).map((row) => ({ ...row, state })));
    if (ended.size > 0) logger.info({ deliveries: ended.size, outcome: state }, 'deliveries were given up');
  }

  #read(
    page: { readonly createdBefore: EpochMs; readonly webhooks?: WebhookRange },
    after: DeliveryPageCursor | undefined,
  ): Promise<readonly Delivery[]> {
    const limit = WAITING_PAGE_SIZE;
    return this.#options.deliveries.waiting({ ...page, limit, ...(after && { after }) });
  }

  /** Queues those that are not in memory; those of deleted webhooks are cancelled. Returns how many were queued or cancelled. */
  async #take(found: readonly Delivery[]): Promise<number> {
    const { queue, enqueue } = this.#parts;
    const others = found.filter(({ id }) => !queue.holds(id));
    if (others.length === 0) return 0;
    await this.#readAddresses(new Set(others.map(({ webhookId }) => webhookId)));
    const rows = others.flatMap((delivery) => {
      const address = this.#addresses.get(delivery.webhookId);
      return address === undefined ? [] : [{ delivery, address }];
    });
    const orphans = others.filter(({ webhookId }) => !this.#addresses.has(webhookId));
    await this.giveUp(orphans, 'cancelled');
    return enqueue(rows) + orphans.length;
  }

  /** Reads those that are not kept. */
  async #readAddresses(webhookIds: ReadonlySet<string>): Promise<void> {
    const missing = [...webhookIds].filter((id) => this.#addresses.get(id) === undefined);
    if (missing.length === 0) return;
    const found = await this.#options.webhooks.byIds(missing);
    for (const webhook of found) this.#addresses.set(webhook.id, addressOf(webhook));
  }
}
