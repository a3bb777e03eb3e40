import type { EpochMs } from '../../base/time/duration.ts';
import type { AttemptResults } from './attempt-results.ts';
import { type AttemptResult, DELIVERY_TIMES } from './delivery.ts';
import type { DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { MessageMaker } from './message-maker.ts';
import type { WaitingDelivery } from './target-queues.ts';
import type { WebhookMessage } from './webhook-sender.ts';

const CLAIM_SIZE = 256;
/** While this many outcomes are not written nothing more is claimed. */
const UNWRITTEN_MAX = 2_048;

type DispatchOptions = Pick<
  DeliveryEngineOptions,
  'deliveries' | 'yieldToLoop' | 'clock' | 'logger' | 'metrics'
>;

interface DispatchParts {
  readonly queue: DeliveryQueue;
  readonly messages: MessageMaker;
  readonly attempts: Attempts;
  readonly outcomes: AttemptResults;
  readonly calls: StoreCalls;
}

/** Claims what the queue chooses, up to `CLAIM_SIZE` deliveries at a time, and starts an attempt of each. */
export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #parts: DispatchParts;
  readonly #stopped = new AbortController();
  #isSealed = false;
  #isClaiming = false;
  #claiming: Promise<void> = Promise.resolve();

  /** Claims nothing before the first `wake`. */
  constructor(options: DispatchOptions, parts: DispatchParts) {
    this.#options = options;
    this.#parts = parts;
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
    const { clock, logger, metrics, yieldToLoop } = this.#options;
    const { queue, outcomes } = this.#parts;
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
    const { attempts, queue } = this.#parts;
    const until = at + DELIVERY_TIMES.sendsWithinMs;
    const ready = await this.#claim(chosen, at, until);
    const rest = new Set(chosen);
    // After that another process may close the claims as those of a dead process: unsent ones end as unknown.
    for (const { candidate, message } of this.#isSealed || this.#options.clock.now() > until ? [] : ready) {
      rest.delete(candidate);
      if (message === null) attempts.cancel(candidate);
      else attempts.start(candidate, message, this.wake);
    }
    for (const candidate of rest) queue.release(candidate, null);
  }

  /** The deliveries that this process has claimed, each with its message. The sweep ends those that waited too long. */
  async #claim(chosen: readonly WaitingDelivery[], at: EpochMs, until: EpochMs) {
    const { messages, calls } = this.#parts;
    const young = chosen.filter(({ createdAt }) => at - createdAt <= DELIVERY_TIMES.expiresAfterMs);
    if (young.length === 0) return [];
    const ids = young.map(({ id }) => id);
    const by = { owner: calls.owner, at, call: calls.nextCall() };
    const limits = { signal: this.#stopped.signal, until };
    const claim = () => this.#options.deliveries.claim(ids, by);
    const claimed = new Set((await calls.retryUntilAnswered(claim, limits)) ?? []);
    if (claimed.size === 0) return [];
    const claims = young.filter(({ id }) => claimed.has(id));
    return (await calls.retryUntilAnswered(() => messages.make(claims), limits)) ?? [];
  }
}

type AttemptOptions = Pick<DeliveryEngineOptions, 'sender' | 'clock' | 'logger' | 'metrics'>;

/** Makes one attempt of each claimed delivery, passes its outcome on and frees its slot. */
export class Attempts {
  readonly #options: AttemptOptions;
  readonly #queue: DeliveryQueue;
  readonly #outcomes: AttemptResults;
  readonly #running = new Set<Promise<void>>();

  constructor(options: AttemptOptions, queue: DeliveryQueue, outcomes: AttemptResults) {
    this.#options = options;
    this.#queue = queue;
    this.#outcomes = outcomes;
  }

  /** `onEnd` is called when the slot is free again. */
  start(candidate: WaitingDelivery, message: WebhookMessage, onEnd: () => void): void {
    const work = this.#attempt(candidate, message).finally(() => {
      this.#running.delete(work);
      onEnd();
    });
    this.#running.add(work);
  }

  /** Ends a claimed delivery without an attempt. */
  cancel(candidate: WaitingDelivery): void {
    this.#end(candidate, 'cancelled', null);
  }

  /** Resolves when the attempts that are in flight now have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #attempt(candidate: WaitingDelivery, message: WebhookMessage): Promise<void> {
    const { sender, metrics, logger } = this.#options;
    try {
      const result = await sender.send(message);
      metrics.deliveryAttempted(result.durationMs);
      this.#end(candidate, result.error === null ? 'delivered' : 'failed', result);
    } catch (error) {
      const { webhookId: webhook, alertId: alert } = candidate;
      logger.error({ err: error, webhook, alert }, 'webhook delivery failed; its outcome is unknown');
      this.#end(candidate, 'unknown', null);
    }
  }

  #end(
    candidate: WaitingDelivery,
    state: 'delivered' | 'failed' | 'unknown' | 'cancelled',
    result: AttemptResult | null,
  ): void {
    const { clock, logger } = this.#options;
    const { id, webhookId, alertId, outcome, host } = candidate;
    logger.debug({ webhook: webhookId, alert: alertId, host, outcome: state, ...result }, 'webhook delivery');
    this.#outcomes.add({ id, webhookId, alertId, outcome, state, finishedAt: clock.now(), result });
    this.#queue.release(candidate, result === null ? null : hasAnswered(result));
  }
}

/** Whether the host answered at all. */
function hasAnswered({ status, error }: AttemptResult): boolean {
  return status !== null && error !== 'timeout';
}
