import Queue from 'yocto-queue';
import type { Delivery } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** Where a delivery goes, and whose it is. */
export interface Address {
  /** With its port. */
  readonly host: string;
  readonly keyId: string;
}

/** A delivery that waits in this process. */
export interface WaitingDelivery
  extends Pick<Delivery, 'id' | 'webhookId' | 'alertId' | 'createdAt'>,
    Address {
  readonly outcome?: number | undefined;
  readonly repeats?: string | undefined;
}

/** Where deliveries of a webhook go. */
export function addressOf({ url, keyId }: Pick<Webhook, 'url' | 'keyId'>): Address {
  // An invalid URL fails when it is sent to.
  return { host: URL.parse(url)?.host ?? url, keyId };
}

/** A host or a key: how much is in flight to it, and the queues that wait for one of its slots. */
export interface QueueGroup {
  readonly name: string;
  inFlight: number;
  readonly blocked: Set<TargetQueue>;
  /** The number of queues of this host or key. */
  queues: number;
}

/** The deliveries of one key that wait for one host, oldest first. */
export interface TargetQueue {
  readonly name: string;
  readonly host: QueueGroup;
  readonly key: QueueGroup;
  readonly deliveries: Queue<WaitingDelivery>;
}

/**
 * The queues that hold a delivery: each is ready, or blocked at its host or its key. A host or key with no delivery
 * waiting or in flight takes no memory.
 */
export class TargetQueues {
  readonly ready = new Set<TargetQueue>();
  readonly #queues = new Map<string, TargetQueue>();
  readonly #hosts = new Map<string, QueueGroup>();
  readonly #keys = new Map<string, QueueGroup>();

  all(): Iterable<TargetQueue> {
    return this.#queues.values();
  }

  of({ host: hostName, keyId }: WaitingDelivery): TargetQueue {
    const name = `${keyId} ${hostName}`;
    const found = this.#queues.get(name);
    if (found !== undefined) return found;
    const [host, key] = [groupOf(this.#hosts, hostName), groupOf(this.#keys, keyId)];
    host.queues += 1;
    key.queues += 1;
    const queue: TargetQueue = { name, host, key, deliveries: new Queue() };
    this.#queues.set(name, queue);
    return queue;
  }

  remove(queue: TargetQueue): void {
    this.#queues.delete(queue.name);
    this.ready.delete(queue);
    for (const [groups, group] of [[this.#hosts, queue.host] as const, [this.#keys, queue.key] as const]) {
      group.blocked.delete(queue);
      group.queues -= 1;
      // The removed queue may have been unblocked for a free slot; another queue takes it.
      this.#afterChange(groups, group);
    }
  }

  /** Makes one queue ready that is blocked at this host or key. */
  unblock(group: QueueGroup): void {
    const [queue] = group.blocked;
    if (queue === undefined) return;
    group.blocked.delete(queue);
    this.ready.add(queue);
  }

  /** Frees a slot of a host and a key, and unblocks a queue that waits for it. */
  leave({ host, keyId }: WaitingDelivery): void {
    for (const [groups, name] of [[this.#hosts, host] as const, [this.#keys, keyId] as const]) {
      const group = groupOf(groups, name);
      group.inFlight -= 1;
      this.#afterChange(groups, group);
    }
  }

  #afterChange(groups: Map<string, QueueGroup>, group: QueueGroup): void {
    this.unblock(group);
    if (group.queues === 0 && group.inFlight === 0) groups.delete(group.name);
  }
}

function groupOf(groups: Map<string, QueueGroup>, name: string): QueueGroup {
  const group = groups.get(name) ?? { name, inFlight: 0, blocked: new Set(), queues: 0 };
  groups.set(name, group);
  return group;
}
