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

const CLAIM_SIZE = 256;
/** While this many outcomes are not written nothing more is claimed. */
const UNWRITTEN_MAX = 2_048;

interface DispatchOptions {
  readonly deliveries: Pick<DeliveryStore, 'claim'>;
  readonly queue: Pick<DeliveryQueue, 'take' | 'release' | 'waiting'>;
  readonly messages: Pick<MessageMaker, 'make'>;
  readonly attempts: Pick<Attempts, 'start' | 'cancel'>;
  readonly outcomes: Pick<Outcomes, 'size'>;
  readonly retryUntilAnswered: RetryUntilAnswered;
  readonly owner: string;
  /** A unique name for one change. */
  readonly nextCall: () => string;
  readonly yieldToLoop: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly metrics: Pick<DeliveryMetrics, 'deliveriesWaiting'>;
}

/** Claims what the queue chooses, up to `CLAIM_SIZE` deliveries at a time, and starts an attempt of each. */
export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #stopped = new AbortController();
  #isSealed = false;
  #isClaiming = false;
  #claiming: Promise<void> = Promise.resolve();

  /** Claims nothing before the first `wake`. */
  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  /** Deliveries were added, or there is room again. */
  readonly wake = (): void => {
    if (!this.#isClaiming && !this.#stopped.signal.aborted) this.#claiming = this.#claimAll();
  };

  /** Claims no more. Resolves when no claim is in progress; what was claimed is sent. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#claiming;
  }

  /** Sends no more, not even what is being claimed. */
  seal(): void {
    this.#isSealed = true;
  }

  async #claimAll(): Promise<void> {
    const { queue, outcomes, clock, logger, metrics, yieldToLoop } = this.#options;
    this.#isClaiming = true;
    try {
      while (!this.#stopped.signal.aborted && outcomes.size < UNWRITTEN_MAX) {
        const chosen = queue.take(CLAIM_SIZE);
        metrics.deliveriesWaiting(queue.waiting);
        if (chosen.length === 0) break;
        await this.#claimAndSend(chosen, clock.now());
        await yieldToLoop();
      }
    } catch (error) {
      logger.error({ err: error }, 'claiming of deliveries failed');
    } finally {
      this.#isClaiming = false;
    }
  }

  async #claimAndSend(chosen: readonly WaitingDelivery[], at: EpochMs): Promise<void> {
    const { attempts, queue, clock } = this.#options;
    const until = at + DELIVERY_TIMES.sendsWithinMs;
    const ready = await this.#claim(chosen, at, until);
    const rest = new Set(chosen);
    // After that another process may close the claims as those of a dead process: unsent ones end as unknown.
    for (const { candidate, message } of this.#isSealed || clock.now() > until ? [] : ready) {
      rest.delete(candidate);
      if (message === null) attempts.cancel(candidate);
      else attempts.start(candidate, message, this.wake);
    }
    for (const candidate of rest) queue.release(candidate, null);
  }

  /** The deliveries that this process has claimed, each with its message. The sweep ends those that waited too long. */
  async #claim(chosen: readonly WaitingDelivery[], at: EpochMs, until: EpochMs) {
    const { deliveries, messages, owner, nextCall, retryUntilAnswered } = this.#options;
    const young = chosen.filter(({ createdAt }) => at - createdAt <= DELIVERY_TIMES.expiresAfterMs);
    if (young.length === 0) return [];
    const ids = young.map(({ id }) => id);
    const by = { owner, at, call: nextCall() };
    const limits = { signal: this.#stopped.signal, until };
    const claimed = new Set((await retryUntilAnswered(() => deliveries.claim(ids, by), limits)) ?? []);
    if (claimed.size === 0) return [];
    const claims = young.filter(({ id }) => claimed.has(id));
    return (await retryUntilAnswered(() => messages.make(claims), limits)) ?? [];
  }
}
