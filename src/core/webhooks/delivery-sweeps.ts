import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import { DELIVERY_LIMITS, DELIVERY_TIMES, type Delivery } from './delivery.ts';
import type { DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryClaim, DeliveryPageCursor } from './delivery-store.ts';
import type { Outcomes } from './outcomes.ts';
import type { Webhook } from './webhook.ts';

const STRAYS_EVERY_MS = SECOND_MS;
const REPAIR_EVERY_MS = 5 * SECOND_MS;
const PRUNE_EVERY_MS = MINUTE_MS;
const PAGE_SIZE = 500;
/** More than one process has in flight: the claims of a dead process are soon among the oldest. */
const CLAIMS_PAGE_SIZE = 2_000;

type SweepOptions = Pick<
  DeliveryEngineOptions,
  'deliveries' | 'webhooks' | 'isGone' | 'yieldToLoop' | 'clock' | 'logger'
>;

interface SweepParts {
  readonly queue: DeliveryQueue;
  readonly outcomes: Outcomes;
  readonly calls: StoreCalls;
  /** Queues rows that wait. Returns how many had room. */
  readonly enqueue: (rows: readonly { readonly delivery: Delivery; readonly webhook: Webhook }[]) => number;
}

/**
 * Queues strays every second, ends claims of dead processes and deliveries that waited too long every 5 s, and removes
 * old rows every minute; each begins immediately. The first failure of several in a row is logged.
 */
export class DeliverySweeps {
  readonly #options: SweepOptions;
  readonly #parts: SweepParts;
  /** The last row of the sweep of strays; undefined at its beginning. */
  #strayCursor: DeliveryPageCursor | undefined;

  constructor(options: SweepOptions, parts: SweepParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Ends when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const every = (intervalMs: number, what: string, task: () => Promise<void>) => {
      const failures = new FailureLog(logger, `${what} failed; retrying in ${intervalMs / SECOND_MS} s`);
      return repeat(task, { clock, signal, intervalMs, failures });
    };
    await Promise.all([
      every(REPAIR_EVERY_MS, 'ending of lost and expired deliveries', async () => {
        await this.#closeLostClaims();
        await this.#expire(signal);
      }),
      every(STRAYS_EVERY_MS, 'sweep of waiting deliveries', () => this.#sweepStrays(signal)),
      every(PRUNE_EVERY_MS, 'removal of old deliveries', () => this.#prune(signal)),
    ]);
  }

  /** Claims of a dead process, or that are too old to be in flight: whether they were sent is unknown. */
  async #closeLostClaims(): Promise<void> {
    const { deliveries, clock, logger } = this.#options;
    const { outcomes, calls } = this.#parts;
    const lost = this.#lostAmong(await deliveries.claims(CLAIMS_PAGE_SIZE));
    for (const [owner, claims] of Map.groupBy(lost, (claim) => claim.owner)) {
      const end = { state: 'unknown', finishedAt: clock.now(), result: null } as const;
      const ends = claims.map(({ delivery: { id } }) => ({ id, ...end }));
      const ended = new Set(await deliveries.finish(owner, ends, calls.nextCall()));
      const closed = claims.map(({ delivery }) => delivery).filter(({ id }) => ended.has(id));
      outcomes.count(closed.map((delivery) => ({ ...delivery, state: 'unknown' })));
      if (closed.length > 0)
        logger.warn({ owner, deliveries: closed.length }, 'deliveries of a process that died are unknown');
    }
  }

  #lostAmong(claims: readonly DeliveryClaim[]): readonly DeliveryClaim[] {
    const { isGone, clock } = this.#options;
    const { queue, outcomes, calls } = this.#parts;
    const now = clock.now();
    const gone = new Map<string, boolean>();
    return claims.filter(({ owner, claimedAt, delivery: { id } }) => {
      if (owner === calls.owner && (queue.holds(id) || outcomes.holds(id))) return false;
      if (now - claimedAt > DELIVERY_TIMES.claimEndsAfterMs) return true;
      if (owner !== calls.owner && !gone.has(owner)) gone.set(owner, isGone(owner));
      return gone.get(owner) === true;
    });
  }

  /** Ends deliveries that waited too long, in this memory or in none. */
  async #expire(signal: AbortSignal): Promise<void> {
    const { deliveries, clock, yieldToLoop } = this.#options;
    const createdBefore = clock.now() - DELIVERY_TIMES.expiresAfterMs;
    this.#parts.queue.dropBefore(createdBefore);
    while (!signal.aborted) {
      const page = await deliveries.waiting({ createdBefore, limit: PAGE_SIZE });
      await this.#giveUp(page, 'expired');
      if (page.length < PAGE_SIZE) return;
      await yieldToLoop();
    }
  }

  async #giveUp(rows: readonly Delivery[], state: 'expired' | 'cancelled'): Promise<void> {
    if (rows.length === 0) return;
    const { deliveries, clock, logger } = this.#options;
    const { outcomes, calls } = this.#parts;
    const ends = rows.map(({ id }) => ({ id, state, finishedAt: clock.now(), result: null }));
    const ended = new Set(await deliveries.giveUp(ends, calls.nextCall()));
    outcomes.count(rows.filter(({ id }) => ended.has(id)).map((row) => ({ ...row, state })));
    if (ended.size > 0) logger.info({ deliveries: ended.size, outcome: state }, 'deliveries were given up');
  }

  /** Removes rows past their retention, a page at a time. */
  async #prune(signal: AbortSignal): Promise<void> {
    const { deliveries, clock, yieldToLoop } = this.#options;
    const createdBefore = clock.now() - DELIVERY_LIMITS.keptMs;
    while (!signal.aborted && (await deliveries.prune({ createdBefore, limit: PAGE_SIZE })) === PAGE_SIZE)
      await yieldToLoop();
  }

  /**
   * Finds waiting rows that no memory holds: those of a process that died, and those for which there was no room. Reads the
   * next page, and further pages while there is room for rows; after the last page it begins again.
   */
  async #sweepStrays(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const taken = await this.#sweepPage();
      if (this.#strayCursor === undefined || taken === 0) return;
      await this.#options.yieldToLoop();
    }
  }

  /** Returns how many strays were queued or cancelled. */
  async #sweepPage(): Promise<number> {
    const { deliveries, webhooks, clock } = this.#options;
    const { queue, enqueue } = this.#parts;
    const createdBefore = clock.now() - DELIVERY_TIMES.straysAfterMs;
    const after = this.#strayCursor;
    const found = await deliveries.waiting({ createdBefore, limit: PAGE_SIZE, ...(after && { after }) });
    this.#strayCursor = found.length < PAGE_SIZE ? undefined : found.at(-1);
    const strays = found.filter(({ id }) => !queue.holds(id));
    if (strays.length === 0) return 0;
    const targets = await webhooks.byIds([...new Set(strays.map(({ webhookId }) => webhookId))]);
    const byId = new Map(targets.map((webhook) => [webhook.id, webhook]));
    const orphans = strays.filter(({ webhookId }) => !byId.has(webhookId));
    await this.#giveUp(orphans, 'cancelled');
    const rows = strays.flatMap((delivery) => {
      const webhook = byId.get(delivery.webhookId);
      return webhook === undefined ? [] : [{ delivery, webhook }];
    });
    return enqueue(rows) + orphans.length;
  }
}
