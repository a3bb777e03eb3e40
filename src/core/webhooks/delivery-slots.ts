import { LRUCache } from 'lru-cache';
import type { QueueGroup, TargetQueue, TargetQueues, WaitingDelivery } from './target-queues.ts';

/** How much is sent at once, overall and to one. */
export interface SlotLimits {
  readonly inFlight: number;
  readonly inFlightPerKey: number;
  readonly inFlightPerHost: number;
  /** While the host's last attempt had no answer. */
  readonly inFlightPerUnresponsiveHost: number;
}

/** Who is being sent to. */
export interface DeliverySlots {
  /** Takes a place for what is first in the queue. False: there is none, and the queue is set aside until there is. */
  enter(queue: TargetQueue): boolean;
  /** `hasAnswered`: what is now known of the host; null when nothing new is. */
  leave(delivery: WaitingDelivery, hasAnswered: boolean | null): void;
  isFull(): boolean;
  /** Whether the host did not answer the last time. */
  isUnresponsive(host: string): boolean;
  readonly taken: number;
}

/** Hosts of which it is remembered that they did not answer. */
const UNRESPONSIVE_HOSTS_MAX = 20_000;

/** Places, all of them free. */
export function createDeliverySlots(limits: SlotLimits, queues: TargetQueues): DeliverySlots {
  const sick = new LRUCache<string, true>({ max: UNRESPONSIVE_HOSTS_MAX });
  let taken = 0;

  const isSick = (host: string) => sick.get(host) === true;
  const hasHostSlot = ({ name, inFlight }: QueueGroup) =>
    inFlight < (isSick(name) ? limits.inFlightPerUnresponsiveHost : limits.inFlightPerHost);
  const hasKeySlot = ({ inFlight }: QueueGroup) => inFlight < limits.inFlightPerKey;

  /** There may be more places than the one that was given back: others are called up while there is one. */
  function callUpMore({ host, key }: TargetQueue): void {
    if (hasHostSlot(host)) queues.callUp(host);
    if (hasKeySlot(key)) queues.callUp(key);
  }

  return {
    enter(queue) {
      const { host, key } = queue;
      if (hasHostSlot(host) && hasKeySlot(key)) {
        taken += 1;
        host.inFlight += 1;
        key.inFlight += 1;
        callUpMore(queue);
        return true;
      }
      (hasHostSlot(host) ? key : host).blocked.add(queue);
      callUpMore(queue);
      return false;
    },
    leave(delivery, hasAnswered) {
      if (hasAnswered === true) sick.delete(delivery.host);
      if (hasAnswered === false) sick.set(delivery.host, true);
      taken -= 1;
      queues.leave(delivery);
    },
    isFull: () => taken >= limits.inFlight,
    isUnresponsive: isSick,
    get taken() {
      return taken;
    },
  };
}
