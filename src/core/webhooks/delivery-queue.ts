import type { EpochMs } from '../trade.ts';
import { createDeliverySlots, type SlotLimits } from './delivery-slots.ts';
import {
  createTargetQueues,
  shiftFrom,
  type TargetQueue,
  type WaitingDelivery,
  waitingIn,
} from './target-queues.ts';

/** How much is sent at once, and how much waits in memory; what does not fit stays in the store. */
export interface DeliveryQueueLimits extends SlotLimits {
  readonly waiting: number;
  /** Of one key for one host. */
  readonly waitingPerTarget: number;
  /** Of those a queue may hold so many however full the memory is: what others have waiting keeps nobody out. */
  readonly waitingPerTargetWhenFull: number;
}

/** The bounds of one process. */
export const DELIVERY_QUEUE_LIMITS: DeliveryQueueLimits = {
  inFlight: 1_024,
  inFlightPerKey: 64,
  inFlightPerHost: 16,
  inFlightPerUnresponsiveHost: 2,
  waiting: 200_000,
  waitingPerTarget: 1_000,
  waitingPerTargetWhenFull: 50,
};

/**
 * Chooses what is sent next, so that no host and no key delays another: they take turns, and one that has no place is
 * not looked at until it has. Choosing costs the same however many wait.
 */
export interface DeliveryQueue {
  /** False when it is held already, or there is no room for it. */
  enqueue(delivery: WaitingDelivery): boolean;
  /** Those that may be sent now, hosts that did not answer last; each holds a place until `release`. */
  take(limit: number): readonly WaitingDelivery[];
  /** `hasAnswered`: what is now known of its host; null when nothing new is. */
  release(delivery: WaitingDelivery, hasAnswered: boolean | null): void;
  /** Whether it waits here or holds a place. */
  holds(id: string): boolean;
  /** Drops the waiting ones made before the moment. */
  dropBefore(moment: EpochMs): void;
  readonly waiting: number;
  readonly inFlight: number;
  /** When the oldest of the waiting was made; null when none waits. */
  oldest(): EpochMs | null;
}

/** A queue with nothing in it. */
export function createDeliveryQueue(limits: DeliveryQueueLimits = DELIVERY_QUEUE_LIMITS): DeliveryQueue {
  const targetQueues = createTargetQueues();
  const slots = createDeliverySlots(limits, targetQueues);
  const held = new Set<string>();
  let waiting = 0;

  function shift(targetQueue: TargetQueue, count: number): readonly WaitingDelivery[] {
    waiting -= count;
    const shifted = shiftFrom(targetQueue, count);
    if (waitingIn(targetQueue) === 0) targetQueues.remove(targetQueue);
    return shifted;
  }

  return {
    enqueue(delivery) {
      if (held.has(delivery.id)) return false;
      const targetQueue = targetQueues.of(delivery);
      const most = waiting >= limits.waiting ? limits.waitingPerTargetWhenFull : limits.waitingPerTarget;
      if (waitingIn(targetQueue) >= most) return false;
      held.add(delivery.id);
      targetQueue.deliveries.push(delivery);
      waiting += 1;
      if (!targetQueue.host.blocked.has(targetQueue) && !targetQueue.key.blocked.has(targetQueue))
        targetQueues.ready.add(targetQueue);
      return true;
    },
    take(limit) {
      const chosen: WaitingDelivery[] = [];
      for (const targetQueue of targetQueues.ready) {
        if (chosen.length >= limit || slots.isFull()) break;
        targetQueues.ready.delete(targetQueue);
        if (!slots.enter(targetQueue)) continue;
        targetQueues.ready.add(targetQueue);
        chosen.push(...shift(targetQueue, 1));
      }
      const { sick = [], well = [] } = Object.groupBy(chosen, ({ host }) =>
        slots.isUnresponsive(host) ? 'sick' : 'well',
      );
      return [...well, ...sick];
    },
    release(delivery, hasAnswered) {
      held.delete(delivery.id);
      slots.leave(delivery, hasAnswered);
    },
    holds: (id) => held.has(id),
    dropBefore(moment) {
      for (const targetQueue of targetQueues.all()) {
        const rest = targetQueue.deliveries.slice(targetQueue.taken);
        const kept = rest.findIndex(({ createdAt }) => createdAt >= moment);
        for (const { id } of shift(targetQueue, kept < 0 ? rest.length : kept)) held.delete(id);
      }
    },
    get waiting() {
      return waiting;
    },
    get inFlight() {
      return slots.taken;
    },
    oldest: () => oldestOf(targetQueues.all()),
  };
}

function oldestOf(targetQueues: Iterable<TargetQueue>): EpochMs | null {
  let oldest: EpochMs | null = null;
  for (const { deliveries: candidates, taken } of targetQueues) {
    const first = candidates[taken]?.createdAt ?? null;
    if (oldest === null || (first !== null && first < oldest)) oldest = first;
  }
  return oldest;
}
