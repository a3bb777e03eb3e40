import { LRUCache } from 'lru-cache';
import type { EpochMs } from '../../base/time/duration.ts';
import { type QueueGroup, type TargetQueue, TargetQueues, type WaitingDelivery } from './target-queues.ts';

/** How much is in flight, and how much waits in memory; the rest stays in the store. */
export interface DeliveryQueueLimits extends SlotLimits {
  readonly waiting: number;
  /** Of one key for one host. */
  readonly waitingPerTarget: number;
  /** A target may hold this many even when the memory is full of others' deliveries. */
  readonly waitingPerTargetWhenFull: number;
}

/** The limits of one process. */
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
 * Chooses the next deliveries, so that no host and no key delays another: targets are served in round robin, and one
 * without a free slot is skipped until it has one. The cost of choosing does not depend on how many wait.
 */
export class DeliveryQueue {
  readonly #limits: DeliveryQueueLimits;
  readonly #targetQueues = new TargetQueues();
  readonly #slots: DeliverySlots;
  readonly #held = new Set<string>();
  #waiting = 0;

  constructor(limits: DeliveryQueueLimits = DELIVERY_QUEUE_LIMITS) {
    this.#limits = limits;
    this.#slots = new DeliverySlots(limits, this.#targetQueues);
  }

  get waiting(): number {
    return this.#waiting;
  }

  get inFlight(): number {
    return this.#slots.taken;
  }

  /** False when the delivery is held already, or there is no room for it. */
  enqueue(delivery: WaitingDelivery): boolean {
    if (this.#held.has(delivery.id)) return false;
    const target = this.#targetQueues.of(delivery);
    const { waiting, waitingPerTarget, waitingPerTargetWhenFull } = this.#limits;
    const most = this.#waiting >= waiting ? waitingPerTargetWhenFull : waitingPerTarget;
    if (target.deliveries.size >= most) return false;
    this.#held.add(delivery.id);
    target.deliveries.enqueue(delivery);
    this.#waiting += 1;
    if (!target.host.blocked.has(target) && !target.key.blocked.has(target))
      this.#targetQueues.ready.add(target);
    return true;
  }

  /** Deliveries to send now, those to unresponsive hosts last; each holds a slot until `release`. */
  take(limit: number): readonly WaitingDelivery[] {
    const [responsive, unresponsive]: [WaitingDelivery[], WaitingDelivery[]] = [[], []];
    const { ready } = this.#targetQueues;
    for (const target of ready) {
      if (responsive.length + unresponsive.length >= limit || this.#slots.isFull) break;
      ready.delete(target);
      if (!this.#slots.enter(target)) continue;
      ready.add(target);
      const delivery = this.#shift(target);
      if (delivery === undefined) continue;
      (this.#slots.isUnresponsive(delivery.host) ? unresponsive : responsive).push(delivery);
    }
    return [...responsive, ...unresponsive];
  }

  /** `hasAnswered`: whether the host answered; null when that is not known. */
  release(delivery: WaitingDelivery, hasAnswered: boolean | null): void {
    this.#held.delete(delivery.id);
    this.#slots.leave(delivery, hasAnswered);
  }

  /** Whether the delivery waits here or holds a slot. */
  holds(id: string): boolean {
    return this.#held.has(id);
  }

  /** Drops the waiting deliveries that were made before the moment. */
  dropBefore(moment: EpochMs): void {
    for (const target of this.#targetQueues.all()) {
      for (let first = target.deliveries.peek(); first !== undefined; first = target.deliveries.peek()) {
        if (first.createdAt >= moment) break;
        this.#held.delete(first.id);
        this.#shift(target);
      }
    }
  }

  /** When the oldest waiting delivery was made; null when none waits. */
  oldest(): EpochMs | null {
    let oldest: EpochMs | null = null;
    for (const { deliveries } of this.#targetQueues.all()) {
      const first = deliveries.peek()?.createdAt ?? null;
      if (oldest === null || (first !== null && first < oldest)) oldest = first;
    }
    return oldest;
  }

  #shift(target: TargetQueue): WaitingDelivery | undefined {
    const delivery = target.deliveries.dequeue();
    if (delivery !== undefined) this.#waiting -= 1;
    if (target.deliveries.size === 0) this.#targetQueues.remove(target);
    return delivery;
  }
}

/** The number of deliveries in flight: in all, to one key and to one host. */
interface SlotLimits {
  readonly inFlight: number;
  readonly inFlightPerKey: number;
  readonly inFlightPerHost: number;
  /** While the host's last attempt had no answer. */
  readonly inFlightPerUnresponsiveHost: number;
}

const UNRESPONSIVE_HOSTS_MAX = 20_000;

/** The slots of deliveries in flight. */
class DeliverySlots {
  readonly #limits: SlotLimits;
  readonly #queues: TargetQueues;
  readonly #unresponsive = new LRUCache<string, true>({ max: UNRESPONSIVE_HOSTS_MAX });
  #taken = 0;

  constructor(limits: SlotLimits, queues: TargetQueues) {
    this.#limits = limits;
    this.#queues = queues;
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.#limits.inFlight;
  }

  /** Whether the host did not answer the last attempt. */
  isUnresponsive(host: string): boolean {
    return this.#unresponsive.get(host) === true;
  }

  /** Takes a slot for the first delivery of the queue. False: there is none, and the queue is blocked until there is. */
  enter(queue: TargetQueue): boolean {
    const { host, key } = queue;
    const isFree = this.#hasHostSlot(host) && this.#hasKeySlot(key);
    if (isFree) {
      this.#taken += 1;
      host.inFlight += 1;
      key.inFlight += 1;
    } else {
      (this.#hasHostSlot(host) ? key : host).blocked.add(queue);
    }
    // A group may have more free slots than the one that unblocked this queue.
    if (this.#hasHostSlot(host)) this.#queues.unblock(host);
    if (this.#hasKeySlot(key)) this.#queues.unblock(key);
    return isFree;
  }

  /** `hasAnswered`: whether the host answered; null when that is not known. */
  leave(delivery: WaitingDelivery, hasAnswered: boolean | null): void {
    if (hasAnswered === true) this.#unresponsive.delete(delivery.host);
    if (hasAnswered === false) this.#unresponsive.set(delivery.host, true);
    this.#taken -= 1;
    this.#queues.leave(delivery);
  }

  #hasHostSlot({ name, inFlight }: QueueGroup): boolean {
    const { inFlightPerUnresponsiveHost, inFlightPerHost } = this.#limits;
    return inFlight < (this.isUnresponsive(name) ? inFlightPerUnresponsiveHost : inFlightPerHost);
  }

  #hasKeySlot({ inFlight }: QueueGroup): boolean {
    return inFlight < this.#limits.inFlightPerKey;
  }
}
