import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import type { Clock } from '../clock.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import { DELIVERY_LIMITS, DELIVERY_TIMES, type Delivery } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryClaim, DeliveryPageCursor, DeliveryStore } from './delivery-store.ts';
import type { Outcomes } from './outcomes.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

const EVERY_MS = SECOND_MS;
const REPAIR_EVERY_MS = 5 * SECOND_MS;
const PRUNE_EVERY_MS = MINUTE_MS;
const PAGE = 500;
/** More than one process has under way: what a dead one left is among the oldest within moments. */
const CLAIMS_LOOKED_AT = 2_000;

/** What sweeping stands on. */
export interface SweepDeps {
  readonly deliveries: Pick<DeliveryStore, 'waiting' | 'claims' | 'finish' | 'giveUp' | 'prune'>;
  readonly webhooks: Pick<WebhookStore, 'byIds'>;
  readonly queue: Pick<DeliveryQueue, 'dropBefore' | 'holds'>;
  readonly outcomes: Pick<Outcomes, 'count' | 'holds'>;
  /** Takes rows that wait. Returns for how many there was room. */
  readonly enqueue: (rows: readonly { readonly delivery: Delivery; readonly webhook: Webhook }[]) => number;
  readonly owner: string;
  /** Whether an owner is known to live no more. */
  readonly isGone: (owner: string) => boolean;
  readonly nextCall: () => string;
  readonly yieldToLoop: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Finds what was left lying, until the signal aborts: strays every second, claims of dead processes and what waited too
 * long at the start and every 5 s, what is to be forgotten every minute. A fault is logged once a row and the sweep
 * tried again with the next.
 */
export async function sweepDeliveries(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { clock, logger } = deps;
  const strays = createStraySweep(deps);
  const isRepairDue = createInterval(clock, REPAIR_EVERY_MS);
  const isPruneDue = createInterval(clock, PRUNE_EVERY_MS);
  const failures = new FailureLog(logger, 'sweep of deliveries failed; retrying every second');
  const sweep = async () => {
    if (isRepairDue()) {
      await closeLostClaims(deps);
      await expire(deps, signal);
    }
    await strays(signal);
    if (isPruneDue()) await prune(deps, signal);
  };
  await repeat(sweep, { clock, signal, intervalMs: EVERY_MS, failures });
}

/** Due at first, and whenever so much time went by; a clock that was set back delays nothing. */
function createInterval(clock: Pick<Clock, 'now'>, everyMs: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const isDue = Math.abs(clock.now() - last) >= everyMs;
    if (isDue) last = clock.now();
    return isDue;
  };
}

/** Claims whose process is gone, or that are too old to be anybody's: nobody knows what the receiver has got. */
async function closeLostClaims(deps: SweepDeps): Promise<void> {
  const { deliveries, outcomes, nextCall, clock, logger } = deps;
  const lost = Map.groupBy(lostAmong(deps, await deliveries.claims(CLAIMS_LOOKED_AT)), ({ owner }) => owner);
  for (const [owner, claims] of lost) {
    const rest = { state: 'unknown', finishedAt: clock.now(), result: null } as const;
    const ends = claims.map(({ delivery: { id } }) => ({ id, ...rest }));
    const ended = new Set(await deliveries.finish(owner, ends, nextCall()));
    const closed = claims.map(({ delivery }) => delivery).filter(({ id }) => ended.has(id));
    outcomes.count(closed.map((delivery) => ({ ...delivery, state: 'unknown' })));
    if (closed.length > 0)
      logger.warn({ owner, deliveries: closed.length }, 'deliveries of a process that died are unknown');
  }
}

function lostAmong(
  { queue, outcomes, owner: self, isGone, clock }: SweepDeps,
  claims: readonly DeliveryClaim[],
): readonly DeliveryClaim[] {
  const now = clock.now();
  const gone = new Map<string, boolean>();
  return claims.filter(({ owner, claimedAt, delivery: { id } }) => {
    if (owner === self && (queue.holds(id) || outcomes.holds(id))) return false;
    if (now - claimedAt > DELIVERY_TIMES.claimEndsAfterMs) return true;
    if (owner !== self && !gone.has(owner)) gone.set(owner, isGone(owner));
    return gone.get(owner) === true;
  });
}

/** Ends what waited for too long, here or in no memory. */
async function expire(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { deliveries, clock, queue } = deps;
  const createdBefore = clock.now() - DELIVERY_TIMES.expiresAfterMs;
  queue.dropBefore(createdBefore);
  for (let page: readonly Delivery[] = []; !signal.aborted; ) {
    page = await deliveries.waiting({ createdBefore, limit: PAGE });
    await giveUp(deps, page, 'expired');
    if (page.length < PAGE) return;
    await deps.yieldToLoop();
  }
}

async function giveUp(
  { deliveries, outcomes, nextCall, clock, logger }: SweepDeps,
  rows: readonly Delivery[],
  state: 'expired' | 'cancelled',
): Promise<void> {
  if (rows.length === 0) return;
  const ends = rows.map(({ id }) => ({ id, state, finishedAt: clock.now(), result: null }));
  const ended = new Set(await deliveries.giveUp(ends, nextCall()));
  outcomes.count(rows.filter(({ id }) => ended.has(id)).map((row) => ({ ...row, state })));
  if (ended.size > 0) logger.info({ deliveries: ended.size, outcome: state }, 'deliveries were given up');
}

/**
 * Walks through what waits, a page a second, round and round, and takes what no memory here holds: rows of a process
 * that died, and those for which there was no room. As long as there is room for all of a page it goes on at once.
 */
function createStraySweep(deps: SweepDeps): (signal: AbortSignal) => Promise<void> {
  const { deliveries, webhooks, queue, enqueue, clock } = deps;
  let place: DeliveryPageCursor | undefined;

  async function page(): Promise<{ isLast: boolean; taken: number }> {
    const createdBefore = clock.now() - DELIVERY_TIMES.straysAfterMs;
    const query = { createdBefore, limit: PAGE, ...(place && { after: place }) };
    const found = await deliveries.waiting(query);
    place = found.length < PAGE ? undefined : found.at(-1);
    const strays = found.filter(({ id }) => !queue.holds(id));
    if (strays.length === 0) return { isLast: place === undefined, taken: 0 };
    const targets = await webhooks.byIds([...new Set(strays.map(({ webhookId }) => webhookId))]);
    const byId = new Map(targets.map((webhook) => [webhook.id, webhook]));
    const orphans = strays.filter(({ webhookId }) => !byId.has(webhookId));
    await giveUp(deps, orphans, 'cancelled');
    const taken = enqueue(
      strays.flatMap((delivery) => {
        const webhook = byId.get(delivery.webhookId);
        return webhook === undefined ? [] : [{ delivery, webhook }];
      }),
    );
    return { isLast: place === undefined, taken: taken + orphans.length };
  }

  return async (signal) => {
    while (!signal.aborted) {
      const { isLast, taken } = await page();
      if (isLast || taken === 0) return;
      await deps.yieldToLoop();
    }
  };
}

/** Removes what is older than the log is kept, in pieces, so that others get their turn in between. */
async function prune({ deliveries, clock, yieldToLoop }: SweepDeps, signal: AbortSignal): Promise<void> {
  const createdBefore = clock.now() - DELIVERY_LIMITS.keptMs;
  while (!signal.aborted && (await deliveries.prune({ createdBefore, limit: PAGE })) === PAGE) {
    await yieldToLoop();
  }
}
