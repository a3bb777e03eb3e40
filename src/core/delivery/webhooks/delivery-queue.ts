import { LRUCache } from 'lru-cache';
import Queue from 'yocto-queue';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Delivery } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** A delivery in the memory of a process: where it goes, and whose it is. */
export interface WaitingDelivery extends Delivery {
  /** With its port. */
  readonly host: string;
  readonly keyId: string;
}

/** Where deliveries of a webhook go. An invalid URL fails when it is sent to. */
export function targetOf({ url, keyId }: Pick<Webhook, 'url' | 'keyId'>) {
  return { host: URL.parse(url)?.host ?? url, keyId };
}

/** Limits of one process: of what is in flight, and of what waits in memory. The rest stays in the store. */
export const DELIVERY_QUEUE_LIMITS = {
  inFlight: 1_024,
  inFlightPerKey: 64,
  inFlightPerHost: 16,
  /** While the host's last attempt had no answer. */
  inFlightPerUnresponsiveHost: 2,
  waiting: 200_000,
  /** Of one key for one host. */
  waitingPerTarget: 1_000,
  /** A target may hold this many even when the memory is full of others' deliveries. */
  waitingPerTargetWhenFull: 50,
};
/** `DELIVERY_QUEUE_LIMITS`, or others in a test. */
export type DeliveryQueueLimits = Readonly<typeof DELIVERY_QUEUE_LIMITS>;

const UNRESPONSIVE_HOSTS_MAX = 20_000;

/** A host or a key: how much is in flight to it, its targets, and those that wait for one of its slots. */
interface Group {
  readonly id: string;
  inFlight: number;
  targets: number;
  readonly blocked: Set<Target>;
}

interface Target {
  readonly name: string;
  readonly host: Group;
  readonly key: Group;
  readonly deliveries: Queue<WaitingDelivery>;
}

/**
 * Chooses the next deliveries, so that no host and no key delays another: targets are served in round robin, and one
 * without a free slot is skipped until it has one. The cost of choosing does not depend on how many wait. A host or key
 * with no delivery waiting or in flight takes no memory.
 */
export class DeliveryQueue {
  readonly #limits: DeliveryQueueLimits;
  /** The targets that hold a delivery; each is ready, or blocked at its host or its key. */
  readonly #targets = new Map<string, Target>();
  readonly #ready = new Set<Target>();
  readonly #groups = new Map<string, Group>();
  /** The targets of the deliveries that wait or are in flight, by id. */
  readonly #held = new Map<string, Target>();
  /** Hosts that did not answer the last attempt, by the id of their group. */
  readonly #unresponsive = new LRUCache<string, true>({ max: UNRESPONSIVE_HOSTS_MAX });
  #waiting = 0;
  #inFlight = 0;

  constructor(limits: DeliveryQueueLimits = DELIVERY_QUEUE_LIMITS) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** False when the delivery is held already, or there is no room for it. */
  enqueue(delivery: WaitingDelivery): boolean {
    if (this.#held.has(delivery.id)) return false;
    const target = this.#targetOf(delivery);
    const { waiting, waitingPerTarget, waitingPerTargetWhenFull } = this.#limits;
    const most = this.#waiting >= waiting ? waitingPerTargetWhenFull : waitingPerTarget;
    if (target.deliveries.size >= most) return false;
    this.#held.set(delivery.id, target);
    target.deliveries.enqueue(delivery);
    this.#waiting += 1;
    if (!target.host.blocked.has(target) && !target.key.blocked.has(target)) this.#ready.add(target);
    return true;
  }

  /** Deliveries to send now, those to unresponsive hosts last; each holds a slot until `release`. */
  take(limit: number): readonly WaitingDelivery[] {
    const [responsive, unresponsive]: [WaitingDelivery[], WaitingDelivery[]] = [[], []];
    for (const target of this.#ready) {
      if (responsive.length + unresponsive.length >= limit || this.#inFlight >= this.#limits.inFlight) break;
      this.#ready.delete(target);
      if (!this.#takeSlot(target)) continue;
      this.#ready.add(target);
      const delivery = this.#shift(target);
      (this.#unresponsive.has(target.host.id) ? unresponsive : responsive).push(delivery);
    }
    return [...responsive, ...unresponsive];
  }

  /** `hasAnswered`: whether the host answered; null when that is not known. */
  release({ id }: WaitingDelivery, hasAnswered: boolean | null): void {
    const target = this.#held.get(id);
    if (target === undefined) return;
    const { host, key } = target;
    this.#held.delete(id);
    if (hasAnswered === true) this.#unresponsive.delete(host.id);
    if (hasAnswered === false) this.#unresponsive.set(host.id, true);
    this.#inFlight -= 1;
    for (const group of [host, key]) {
      group.inFlight -= 1;
      this.#unblock(group);
      this.#forgetIdle(group);
    }
  }

  holds(id: string): boolean {
    return this.#held.has(id);
  }

  /** Drops the waiting deliveries that were made before the moment. */
  dropBefore(moment: EpochMs): void {
    for (const target of this.#targets.values()) {
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
    for (const { deliveries } of this.#targets.values()) {
      const first = deliveries.peek()?.createdAt ?? null;
      if (oldest === null || (first !== null && first < oldest)) oldest = first;
    }
    return oldest;
  }

  /** Takes a slot of its host and key. False: there is none, and the target is blocked until there is. */
  #takeSlot(target: Target): boolean {
    const { host, key } = target;
    const isFree = this.#hasSlot(host) && this.#hasSlot(key);
    if (isFree) {
      this.#inFlight += 1;
      host.inFlight += 1;
      key.inFlight += 1;
    } else {
      (this.#hasSlot(host) ? key : host).blocked.add(target);
    }
    // A group may have more free slots than the one that unblocked this target.
    for (const group of [host, key]) if (this.#hasSlot(group)) this.#unblock(group);
    return isFree;
  }

  #hasSlot(group: Group): boolean {
    const { inFlightPerKey, inFlightPerHost, inFlightPerUnresponsiveHost } = this.#limits;
    if (group.id.startsWith('key ')) return group.inFlight < inFlightPerKey;
    const most = this.#unresponsive.has(group.id) ? inFlightPerUnresponsiveHost : inFlightPerHost;
    return group.inFlight < most;
  }

  /** The target holds one. */
  #shift(target: Target): WaitingDelivery {
    const delivery = target.deliveries.dequeue() as WaitingDelivery;
    this.#waiting -= 1;
    if (target.deliveries.size === 0) this.#remove(target);
    return delivery;
  }

  #remove(target: Target): void {
    this.#targets.delete(target.name);
    this.#ready.delete(target);
    for (const group of [target.host, target.key]) {
      group.blocked.delete(target);
      group.targets -= 1;
      // The removed target may have been unblocked for a free slot; another one takes it.
      this.#unblock(group);
      this.#forgetIdle(group);
    }
  }

  /** Makes one target ready that is blocked at this host or key. */
  #unblock({ blocked }: Group): void {
    const [target] = blocked;
    if (target === undefined) return;
    blocked.delete(target);
    this.#ready.add(target);
  }

  #forgetIdle({ id, targets, inFlight }: Group): void {
    if (targets === 0 && inFlight === 0) this.#groups.delete(id);
  }

  #targetOf({ host, keyId }: WaitingDelivery): Target {
    const name = `${keyId} ${host}`;
    const found = this.#targets.get(name);
    if (found !== undefined) return found;
    const groups = { host: this.#groupOf(`host ${host}`), key: this.#groupOf(`key ${keyId}`) };
    const target = { name, ...groups, deliveries: new Queue<WaitingDelivery>() };
    groups.host.targets += 1;
    groups.key.targets += 1;
    this.#targets.set(name, target);
    return target;
  }

  #groupOf(id: string): Group {
    const group = this.#groups.get(id) ?? { id, inFlight: 0, targets: 0, blocked: new Set<Target>() };
    this.#groups.set(id, group);
    return group;
  }
}
