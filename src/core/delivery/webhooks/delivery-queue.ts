import { LRUCache } from 'lru-cache';
import Queue from 'yocto-queue';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Delivery } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** A delivery in the memory of a process: its target and its owner. */
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
  inFlightPerHost: 32,
  /** Half of its host's limit, so that a slow receiver leaves the rest to the others on its host. */
  inFlightPerWebhook: 16,
  /** The limit while its last attempt had no answer. */
  inFlightPerUnresponsiveWebhook: 2,
  waiting: 200_000,
  waitingPerWebhook: 1_000,
  /** A webhook may hold this many even when the memory is full of others' deliveries. */
  waitingPerWebhookWhenFull: 50,
};
/** `DELIVERY_QUEUE_LIMITS`, or others in a test. */
export type DeliveryQueueLimits = Readonly<typeof DELIVERY_QUEUE_LIMITS>;

const UNRESPONSIVE_MAX = 20_000;

/** A host, a key or a webhook: how much is in flight to it, its targets, and those that wait for one of its slots. */
interface Group {
  readonly id: string;
  /** In flight at once. */
  readonly most: number;
  inFlight: number;
  targets: number;
  readonly blocked: Set<Target>;
}

/** A webhook with a host, which its owner may change. */
interface Target {
  readonly name: string;
  /** The groups of the webhook itself, its host and its key: a delivery takes a slot in each. */
  readonly groups: readonly [webhook: Group, host: Group, key: Group];
  readonly deliveries: Queue<WaitingDelivery>;
}

/**
 * Chooses the next deliveries, so that no host, no key and no webhook delays another: webhooks are served in round robin, and
 * one without a free slot is skipped until it has one. The cost of choosing does not depend on how many wait. Targets without a
 * waiting delivery or one in flight take no memory.
 */
export class DeliveryQueue {
  readonly #limits: DeliveryQueueLimits;
  /** The webhooks that hold a delivery; each is ready, or blocked at one of its groups. */
  readonly #targets = new Map<string, Target>();
  readonly #ready = new Set<Target>();
  readonly #groups = new Map<string, Group>();
  /** The targets of the deliveries that wait or are in flight, by id. */
  readonly #held = new Map<string, Target>();
  /** Webhooks that did not answer the last attempt, by the id of their group. */
  readonly #unresponsive = new LRUCache<string, true>({ max: UNRESPONSIVE_MAX });
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
    const { waiting, waitingPerWebhook, waitingPerWebhookWhenFull } = this.#limits;
    const most = this.#waiting >= waiting ? waitingPerWebhookWhenFull : waitingPerWebhook;
    if (target.deliveries.size >= most) return false;
    this.#held.set(delivery.id, target);
    target.deliveries.enqueue(delivery);
    this.#waiting += 1;
    if (!target.groups.some(({ blocked }) => blocked.has(target))) this.#ready.add(target);
    return true;
  }

  /** Deliveries to send now, those to unresponsive webhooks last; each holds a slot until `release`. */
  take(limit: number): readonly WaitingDelivery[] {
    const [responsive, unresponsive]: [WaitingDelivery[], WaitingDelivery[]] = [[], []];
    for (const target of this.#ready) {
      if (responsive.length + unresponsive.length >= limit || this.#inFlight >= this.#limits.inFlight) break;
      this.#ready.delete(target);
      if (!this.#takeSlot(target)) continue;
      this.#ready.add(target);
      const delivery = this.#shift(target);
      (this.#unresponsive.has(target.groups[0].id) ? unresponsive : responsive).push(delivery);
    }
    return [...responsive, ...unresponsive];
  }

  /** `hasAnswered`: whether the receiver answered; null when that is not known. */
  release({ id }: WaitingDelivery, hasAnswered: boolean | null): void {
    const target = this.#held.get(id);
    if (target === undefined) return;
    const [webhook] = target.groups;
    this.#held.delete(id);
    if (hasAnswered === true) this.#unresponsive.delete(webhook.id);
    if (hasAnswered === false) this.#unresponsive.set(webhook.id, true);
    this.#inFlight -= 1;
    for (const group of target.groups) {
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

  /** Takes a slot of each of its groups. False: one has none, and the target is blocked until it has. */
  #takeSlot(target: Target): boolean {
    const { groups } = target;
    const full = groups.find((group) => !this.#hasSlot(group));
    full?.blocked.add(target);
    if (full === undefined) {
      this.#inFlight += 1;
      for (const group of groups) group.inFlight += 1;
    }
    // A group may have more free slots than the one that unblocked this target.
    for (const group of groups) if (this.#hasSlot(group)) this.#unblock(group);
    return full === undefined;
  }

  #hasSlot({ id, most, inFlight }: Group): boolean {
    return inFlight < (this.#unresponsive.has(id) ? this.#limits.inFlightPerUnresponsiveWebhook : most);
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
    for (const group of target.groups) {
      group.blocked.delete(target);
      group.targets -= 1;
      // The removed target may have been unblocked for a free slot; another one takes it.
      this.#unblock(group);
      this.#forgetIdle(group);
    }
  }

  /** Makes one target ready that is blocked at this group. */
  #unblock({ blocked }: Group): void {
    const [target] = blocked;
    if (target === undefined) return;
    blocked.delete(target);
    this.#ready.add(target);
  }

  #forgetIdle({ id, targets, inFlight }: Group): void {
    if (targets === 0 && inFlight === 0) this.#groups.delete(id);
  }

  #targetOf({ webhookId, host, keyId }: WaitingDelivery): Target {
    const name = `${webhookId} ${host}`;
    const found = this.#targets.get(name);
    if (found !== undefined) return found;
    const { inFlightPerWebhook, inFlightPerHost, inFlightPerKey } = this.#limits;
    const groups = [
      this.#groupOf(`webhook ${webhookId}`, inFlightPerWebhook),
      this.#groupOf(`host ${host}`, inFlightPerHost),
      this.#groupOf(`key ${keyId}`, inFlightPerKey),
    ] as const;
    const target = { name, groups, deliveries: new Queue<WaitingDelivery>() };
    for (const group of groups) group.targets += 1;
    this.#targets.set(name, target);
    return target;
  }

  #groupOf(id: string, most: number): Group {
    const group = this.#groups.get(id) ?? { id, most, inFlight: 0, targets: 0, blocked: new Set<Target>() };
    this.#groups.set(id, group);
    return group;
  }
}
