import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import type { AttemptResults } from './attempt-results.ts';
import { DELIVERY_TIMES, type Delivery } from './delivery.ts';
import type { DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import { targetOf } from './delivery-queue.ts';
import type { Dispatch } from './dispatch.ts';

const STRAYS_EVERY_MS = SECOND_MS;
const REQUESTED_EVERY_MS = SECOND_MS;
const REPAIR_EVERY_MS = 5 * SECOND_MS;
/** More than one process has in flight, so the claims of an earlier worker are soon among the oldest. */
const CLAIMS_PAGE_SIZE = 2_000;
/** Rows of one read, and of one write of those that are given up. */
export const SWEEP_PAGE_SIZE = 500;

interface SweepParts {
  readonly dispatch: Dispatch;
  readonly results: AttemptResults;
  readonly calls: StoreCalls;
}

/**
 * Queues strays and repeated deliveries every second, and ends lost claims and deliveries that waited too long every 5 s; each
 * begins immediately. The first failure of several in a row is logged.
 */
export class DeliverySweeps {
  readonly #options: DeliveryEngineOptions;
  readonly #parts: SweepParts;
  /** The last row of the sweep of strays; undefined at its beginning. */
  #lastStray: Delivery | undefined;

  constructor(options: DeliveryEngineOptions, parts: SweepParts) {
    this.#options = options;
    this.#parts = parts;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const every = (intervalMs: number, what: string, task: () => Promise<void>) => {
      const failures = new FailureLog(logger, `${what} failed; retrying`);
      return repeat(task, { clock, signal, intervalMs, failures });
    };
    await Promise.all([
      every(REPAIR_EVERY_MS, 'ending of lost and expired deliveries', async () => {
        await this.#closeLostClaims();
        await this.#expire(signal);
      }),
      every(STRAYS_EVERY_MS, 'sweep of waiting deliveries', () => this.#sweepStrays(signal)),
      every(REQUESTED_EVERY_MS, 'reading of deliveries to be repeated', () => this.#takeRequested()),
    ]);
  }

  /** Finds waiting rows that are not in memory, page by page while there is room, in an endless round. */
  async #sweepStrays(signal: AbortSignal): Promise<void> {
    const { deliveries, yieldToLoop } = this.#options;
    while (!signal.aborted) {
      const found = await deliveries.waiting({ after: this.#lastStray, limit: SWEEP_PAGE_SIZE });
      this.#lastStray = found.length < SWEEP_PAGE_SIZE ? undefined : found.at(-1);
      const taken = await this.#take(found);
      if (this.#lastStray === undefined || taken === 0) return;
      await yieldToLoop();
    }
  }

  /** Queues the deliveries that owners want repeated. Ends those that waited too long. */
  async #takeRequested(): Promise<void> {
    const { deliveries, clock } = this.#options;
    const found = await deliveries.requested(SWEEP_PAGE_SIZE);
    const oldest = clock.now() - DELIVERY_TIMES.expiresAfterMs;
    const isLate = ({ createdAt }: Delivery) => createdAt < oldest;
    await this.#giveUp(found.filter(isLate), 'expired');
    await this.#take(found.filter((row) => !isLate(row)));
    // What waited in memory while webhooks were paused.
    this.#parts.dispatch.wake();
  }

  /**
   * Queues the rows that are not in memory; rows of deleted webhooks are cancelled. Returns how many were queued or cancelled.
   */
  async #take(found: readonly Delivery[]): Promise<number> {
    const { dispatch } = this.#parts;
    const others = found.filter(({ id }) => !dispatch.queue.holds(id));
    if (others.length === 0) return 0;
    const webhooks = await this.#options.webhooks.byIds([
      ...new Set(others.map(({ webhookId }) => webhookId)),
    ]);
    const targets = new Map(webhooks.map((webhook) => [webhook.id, targetOf(webhook)]));
    const orphans = others.filter(({ webhookId }) => !targets.has(webhookId));
    const rows = others.flatMap((delivery) => {
      const target = targets.get(delivery.webhookId);
      return target === undefined ? [] : [{ ...delivery, ...target }];
    });
    await this.#giveUp(orphans, 'cancelled');
    return dispatch.enqueue(rows) + orphans.length;
  }

  async #giveUp(rows: readonly Delivery[], state: 'expired' | 'cancelled'): Promise<void> {
    if (rows.length === 0) return;
    const { deliveries, clock, logger } = this.#options;
    const { results, calls } = this.#parts;
    const ends = rows.map((row) => ({ ...row, state, finishedAt: clock.now(), result: null }));
    const ended = new Set(await deliveries.giveUp(ends, calls.nextCall()));
    results.count(ends.filter(({ id }) => ended.has(id)));
    if (ended.size > 0) logger.info({ deliveries: ended.size, outcome: state }, 'deliveries were given up');
  }

  /** Old claims that are not in flight here, of this process or of an earlier worker: whether they were sent is unknown. */
  async #closeLostClaims(): Promise<void> {
    const { deliveries, clock, logger } = this.#options;
    const { dispatch, results, calls } = this.#parts;
    const claimedBefore = clock.now() - DELIVERY_TIMES.claimEndsAfterMs;
    const claims = await deliveries.claims({ claimedBefore, limit: CLAIMS_PAGE_SIZE });
    const lost = claims.filter(({ id }) => !dispatch.queue.holds(id) && !results.holds(id));
    const end = { state: 'unknown', finishedAt: clock.now(), result: null } as const;
    const ends = lost.map((claim) => ({ ...claim, ...end }));
    const ended = new Set(await deliveries.finish(ends, calls.nextCall()));
    results.count(ends.filter(({ id }) => ended.has(id)));
    if (ended.size > 0) logger.warn({ deliveries: ended.size }, 'claims of deliveries were lost: unknown');
  }

  /** Ends deliveries that waited too long, in this process's memory or in none. */
  async #expire(signal: AbortSignal): Promise<void> {
    const { deliveries, clock, yieldToLoop } = this.#options;
    const createdBefore = clock.now() - DELIVERY_TIMES.expiresAfterMs;
    this.#parts.dispatch.queue.dropBefore(createdBefore);
    while (!signal.aborted) {
      const page = await deliveries.waiting({ createdBefore, limit: SWEEP_PAGE_SIZE });
      await this.#giveUp(page, 'expired');
      if (page.length < SWEEP_PAGE_SIZE) return;
      await yieldToLoop();
    }
  }
}
