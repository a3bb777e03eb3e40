import { LRUCache } from 'lru-cache';
import type { QueueGroup, TargetQueue, TargetQueues, WaitingDelivery } from './target-queues.ts';

/** The number of deliveries in flight: in all, to one key and to one host. */
export interface SlotLimits {
  readonly inFlight: number;
  readonly inFlightPerKey: number;
  readonly inFlightPerHost: number;
  /** While the host's last attempt had no answer. */
  readonly inFlightPerUnresponsiveHost: number;
}

const UNRESPONSIVE_HOSTS_MAX = 20_000;

/** The slots of deliveries in flight. */
export class DeliverySlots {
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
