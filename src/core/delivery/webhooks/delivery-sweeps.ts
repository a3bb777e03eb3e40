import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { DELIVERY_LIMITS, DELIVERY_TIMES } from './delivery.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';
import type { DeliveryClaim } from './delivery-store.ts';
import { WAITING_PAGE_SIZE, type WaitingParts, type WaitingRows } from './waiting-rows.ts';

/** As often as the ledger is read for new alerts. */
const NEW_EVERY_MS = 100;
const STRAYS_EVERY_MS = SECOND_MS;
const REQUESTED_EVERY_MS = SECOND_MS;
const REPAIR_EVERY_MS = 5 * SECOND_MS;
const SHARES_EVERY_MS = 5 * SECOND_MS;
const PRUNE_EVERY_MS = MINUTE_MS;
/** More than one process has in flight: the claims of a dead process are soon among the oldest. */
const CLAIMS_PAGE_SIZE = 2_000;

type SweepOptions = Pick<DeliveryEngineOptions, 'deliveries' | 'isGone' | 'yieldToLoop' | 'clock' | 'logger'>;

interface SweepParts extends Pick<WaitingParts, 'queue' | 'outcomes' | 'calls' | 'shares' | 'makesRows'> {
  readonly waiting: WaitingRows;
}

/**
 * Queues new rows of another process every 100 ms, strays and repeated deliveries every second, ends claims of dead processes and deliveries
 * that waited too long every 5 s, and removes old rows every minute; each begins immediately. The first failure of several
 * in a row is logged.
 */
export class DeliverySweeps {
  readonly #options: SweepOptions;
  readonly #parts: SweepParts;

  constructor(options: SweepOptions, parts: SweepParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Ends when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const { waiting, shares, makesRows } = this.#parts;
    const every = (intervalMs: number | (() => number), what: string, task: () => Promise<void>) => {
      const failures = new FailureLog(logger, `${what} failed; retrying`);
      return repeat(task, { clock, signal, intervalMs, failures });
    };
    await Promise.all([
      every(REPAIR_EVERY_MS, 'ending of lost and expired deliveries', async () => {
        await this.#closeLostClaims();
        await this.#expire(signal);
      }),
      every(STRAYS_EVERY_MS, 'sweep of waiting deliveries', () => waiting.sweepStrays(signal)),
      every(REQUESTED_EVERY_MS, 'reading of deliveries to be repeated', () => waiting.takeRequested()),
      every(PRUNE_EVERY_MS, 'removal of old deliveries', () => this.#prune(signal)),
      every(SHARES_EVERY_MS, 'reading of the processes that deliver', () => shares.refresh()),
      every(
        () => (makesRows() ? STRAYS_EVERY_MS : NEW_EVERY_MS),
        'reading of new deliveries',
        () => waiting.followNew(signal),
      ),
    ]);
  }

  /** Claims of a dead process, or that are too old to be in flight: whether they were sent is unknown. */
  async #closeLostClaims(): Promise<void> {
    const { deliveries, clock, logger } = this.#options;
    const { outcomes, calls } = this.#parts;
    const claimedBefore = clock.now() - DELIVERY_TIMES.inFlightMs;
    const lost = this.#lostAmong(await deliveries.claims({ claimedBefore, limit: CLAIMS_PAGE_SIZE }));
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
      const page = await deliveries.waiting({ createdBefore, limit: WAITING_PAGE_SIZE });
      await this.#parts.waiting.giveUp(page, 'expired');
      if (page.length < WAITING_PAGE_SIZE) return;
      await yieldToLoop();
    }
  }

  /** Removes rows past their retention, a page at a time. */
  async #prune(signal: AbortSignal): Promise<void> {
    const { deliveries, clock, yieldToLoop } = this.#options;
    const createdBefore = clock.now() - DELIVERY_LIMITS.keptMs;
    while (
      !signal.aborted &&
      (await deliveries.prune({ createdBefore, limit: WAITING_PAGE_SIZE })) === WAITING_PAGE_SIZE
    )
      await yieldToLoop();
  }
}
