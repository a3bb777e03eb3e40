import type { RetryUntilAnswered } from '../async/retry-until-answered.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { Attempts } from './attempts.ts';
import { DELIVERY_TIMES } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { MessageMaker } from './message-maker.ts';
import type { Outcomes } from './outcomes.ts';
import type { WaitingDelivery } from './target-queues.ts';

const CLAIMED_AT_ONCE = 256;
/** With so many outcomes not written nothing more is claimed. */
const UNWRITTEN_MAX = 2_048;

/** What claiming stands on. */
export interface DispatchDeps {
  readonly deliveries: Pick<DeliveryStore, 'claim'>;
  readonly queue: DeliveryQueue;
  readonly messages: Pick<MessageMaker, 'make'>;
  readonly attempts: Attempts;
  readonly outcomes: Pick<Outcomes, 'size'>;
  readonly retryUntilAnswered: RetryUntilAnswered;
  readonly owner: string;
  /** A name that no other change has. */
  readonly nextCall: () => string;
  readonly yieldToLoop: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly metrics: Pick<DeliveryMetrics, 'deliveriesWaiting'>;
}

/** Claims what the queue chooses, a few hundred at a time, and starts an attempt of each. */
export interface Dispatch {
  /** Something may be sent now: deliveries were added, or there is room again. */
  wake(): void;
  /** Claims no more. Resolves when no claim is being made; what it made is sent. */
  stop(): Promise<void>;
  /** From now on not even what is being claimed is sent. */
  seal(): void;
}

/** Claims nothing before it is woken. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  const { queue, outcomes, attempts, retryUntilAnswered, clock } = deps;
  const stopped = new AbortController();
  let isSealed = false;
  let isClaiming = false;
  let claiming: Promise<void> = Promise.resolve();

  function wake(): void {
    if (!isClaiming && !stopped.signal.aborted) claiming = claimAll();
  }

  async function claimAll(): Promise<void> {
    isClaiming = true;
    try {
      while (!stopped.signal.aborted && outcomes.size < UNWRITTEN_MAX) {
        const chosen = queue.take(CLAIMED_AT_ONCE);
        deps.metrics.deliveriesWaiting(queue.waiting);
        if (chosen.length === 0) break;
        await claimAndSend(chosen, clock.now());
        await deps.yieldToLoop();
      }
    } catch (error) {
      deps.logger.error({ err: error }, 'deliveries cannot be claimed');
    } finally {
      isClaiming = false;
    }
  }

  async function claimAndSend(chosen: readonly WaitingDelivery[], at: EpochMs): Promise<void> {
    const until = at + DELIVERY_TIMES.sendsWithinMs;
    const ready = await claimed(chosen, at, until);
    const rest = new Set(chosen);
    // Later another process may take the claims for those of a dead one. What is not sent will be closed as unknown.
    for (const { candidate, message } of isSealed || clock.now() > until ? [] : ready) {
      rest.delete(candidate);
      if (message === null) attempts.cancel(candidate);
      else attempts.start(candidate, message, wake);
    }
    for (const candidate of rest) queue.release(candidate, null);
  }

  /** Those that are this process's now, each with its message. What has waited too long is left to the sweep. */
  async function claimed(chosen: readonly WaitingDelivery[], at: EpochMs, until: EpochMs) {
    const young = chosen.filter(({ createdAt }) => at - createdAt <= DELIVERY_TIMES.expiresAfterMs);
    if (young.length === 0) return [];
    const ids = young.map(({ id }) => id);
    const by = { owner: deps.owner, at, call: deps.nextCall() };
    const limits = { signal: stopped.signal, until };
    const own = new Set((await retryUntilAnswered(() => deps.deliveries.claim(ids, by), limits)) ?? []);
    if (own.size === 0) return [];
    const claims = young.filter(({ id }) => own.has(id));
    return (await retryUntilAnswered(() => deps.messages.make(claims), limits)) ?? [];
  }

  return {
    wake,
    async stop() {
      stopped.abort();
      await claiming;
    },
    seal() {
      isSealed = true;
    },
  };
}
