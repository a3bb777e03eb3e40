import type { EpochMs } from '../trade.ts';

/** A delivery that waits for its turn in this process. */
export interface WaitingDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly alertId: number;
  readonly createdAt: EpochMs;
  /** Of the target, with its port. */
  readonly host: string;
  readonly keyId: string;
}

/** A host or a key: what is under way, and the queues that wait for a place. */
export interface QueueGroup {
  readonly name: string;
  inFlight: number;
  readonly blocked: Set<TargetQueue>;
  /** How many queues lead to it. */
  queues: number;
}

/** What one key has waiting for one host, oldest first. */
export interface TargetQueue {
  readonly name: string;
  readonly host: QueueGroup;
  readonly key: QueueGroup;
  readonly deliveries: WaitingDelivery[];
  /** How many of `candidates` are gone from its front. */
  taken: number;
}

/** The queues that have something waiting: each is ready, or set aside at its host or its key. */
export interface TargetQueues {
  readonly ready: Set<TargetQueue>;
  all(): Iterable<TargetQueue>;
  of(delivery: WaitingDelivery): TargetQueue;
  remove(queue: TargetQueue): void;
  /** Makes one ready that was set aside at this host or key. */
  callUp(group: QueueGroup): void;
  /** Gives a place at a host and a key back, and calls up who waits for it. */
  leave(delivery: WaitingDelivery): void;
}

/** How many wait in a queue. */
export function waitingIn({ deliveries: candidates, taken }: TargetQueue): number {
  return candidates.length - taken;
}

/** When so many are gone from a queue's front its list is cut, so that taking one costs the same however many wait. */
const CUT_AT = 1_000;

/** Takes so many off the queue's front. */
export function shiftFrom(queue: TargetQueue, count: number): readonly WaitingDelivery[] {
  const shifted = queue.deliveries.slice(queue.taken, queue.taken + count);
  queue.taken += shifted.length;
  if (queue.taken >= CUT_AT) {
    queue.deliveries.splice(0, queue.taken);
    queue.taken = 0;
  }
  return shifted;
}

/** No queues. Nothing is kept of a host or key that has nothing waiting and nothing under way. */
export function createTargetQueues(): TargetQueues {
  const queues = new Map<string, TargetQueue>();
  const hosts = new Map<string, QueueGroup>();
  const keys = new Map<string, QueueGroup>();
  const ready = new Set<TargetQueue>();

  function callUp(group: QueueGroup): void {
    const [queue] = group.blocked;
    if (queue === undefined) return;
    group.blocked.delete(queue);
    ready.add(queue);
  }

  function afterChange(groups: Map<string, QueueGroup>, group: QueueGroup): void {
    callUp(group);
    if (group.queues === 0 && group.inFlight === 0) groups.delete(group.name);
  }

  return {
    ready,
    callUp,
    all: () => queues.values(),
    of({ host: hostName, keyId }) {
      const name = `${keyId} ${hostName}`;
      const found = queues.get(name);
      if (found !== undefined) return found;
      const [host, key] = [groupOf(hosts, hostName), groupOf(keys, keyId)];
      host.queues += 1;
      key.queues += 1;
      const queue: TargetQueue = { name, host, key, deliveries: [], taken: 0 };
      queues.set(name, queue);
      return queue;
    },
    remove(queue) {
      queues.delete(queue.name);
      ready.delete(queue);
      for (const [groups, group] of [[hosts, queue.host] as const, [keys, queue.key] as const]) {
        group.blocked.delete(queue);
        group.queues -= 1;
        // The one that goes may have been called up to a place; another takes it.
        afterChange(groups, group);
      }
    },
    leave({ host, keyId }) {
      for (const [groups, name] of [[hosts, host] as const, [keys, keyId] as const]) {
        const group = groupOf(groups, name);
        group.inFlight -= 1;
        afterChange(groups, group);
      }
    },
  };
}

function groupOf(groups: Map<string, QueueGroup>, name: string): QueueGroup {
  const group = groups.get(name) ?? { name, inFlight: 0, blocked: new Set(), queues: 0 };
  groups.set(name, group);
  return group;
}
