import type { EpochMs } from '../../base/time/duration.ts';
import type { AttemptResults } from './attempt-results.ts';
import { type AttemptResult, DELIVERY_TIMES, type EndState, isTest } from './delivery.ts';
import type { DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import { DeliveryQueue, type WaitingDelivery } from './delivery-queue.ts';
import type { MessageMaker } from './message-maker.ts';
import type { WebhookMessage } from './webhook.ts';

const CLAIM_SIZE = 256;
/** While this many results are not written nothing more is claimed. */
const UNWRITTEN_MAX = 2_048;

/** The deliveries of this process: claims what the queue chooses, `CLAIM_SIZE` at a time, and makes one attempt of each. */
export class Dispatch {
  readonly queue: DeliveryQueue;
  readonly #options: DeliveryEngineOptions;
  readonly #calls: StoreCalls;
  readonly #messages: MessageMaker;
  readonly #results: AttemptResults;
  readonly #stopped = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  #isSealed = false;
  #isClaiming = false;
  #claiming: Promise<void> = Promise.resolve();

  constructor(
    options: DeliveryEngineOptions,
    calls: StoreCalls,
    messages: MessageMaker,
    results: AttemptResults,
  ) {
    this.queue = new DeliveryQueue(options.limits);
    this.#options = options;
    this.#calls = calls;
    this.#messages = messages;
    this.#results = results;
  }

  /** Queues rows that wait, but tests. Returns how many had room. */
  enqueue(rows: readonly WaitingDelivery[]): number {
    const taken = rows.filter((delivery) => !isTest(delivery) && this.queue.enqueue(delivery));
    this.#options.metrics.deliveriesWaiting(this.queue.waiting);
    this.wake();
    return taken.length;
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

  /** Sends no more, not even what is being claimed. Resolves when the attempts in flight have ended. */
  async seal(): Promise<void> {
    this.#isSealed = true;
    await Promise.all(this.#attempts);
  }

  async #claimAll(): Promise<void> {
    const { clock, isPaused, logger, metrics, yieldToLoop } = this.#options;
    this.#isClaiming = true;
    try {
      while (!this.#stopped.signal.aborted && !isPaused() && this.#results.size < UNWRITTEN_MAX) {
        const chosen = this.queue.take(CLAIM_SIZE);
        metrics.deliveriesWaiting(this.queue.waiting);
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
    const until = at + DELIVERY_TIMES.sendsWithinMs;
    const messages = await this.#claim(chosen, at, until);
    // A claim that was answered late may be of a worker that lost its lease: unsent ones end as unknown.
    const isOver = this.#isSealed || this.#options.clock.now() > until;
    for (const delivery of chosen) {
      const message = isOver ? undefined : messages.get(delivery);
      if (message === undefined) this.queue.release(delivery, null);
      else if (message === null) this.#end(delivery, 'cancelled', null);
      else this.#start(delivery, message);
    }
  }

  /** The deliveries that this process has claimed, each with its message. The sweep ends those that waited too long. */
  async #claim(chosen: readonly WaitingDelivery[], at: EpochMs, until: EpochMs) {
    const none: ReadonlyMap<WaitingDelivery, WebhookMessage | null> = new Map();
    const young = chosen.filter(({ createdAt }) => at - createdAt <= DELIVERY_TIMES.expiresAfterMs);
    if (young.length === 0) return none;
    const ids = young.map(({ id }) => id);
    const { retryUntilAnswered } = this.#calls;
    const by = { at, call: this.#calls.nextCall() };
    const limits = { signal: this.#stopped.signal, until };
    const claimed = new Set(await retryUntilAnswered(() => this.#options.deliveries.claim(ids, by), limits));
    if (claimed.size === 0) return none;
    const claims = young.filter(({ id }) => claimed.has(id));
    return (await retryUntilAnswered(() => this.#messages.make(claims), limits)) ?? none;
  }

  #start(delivery: WaitingDelivery, message: WebhookMessage): void {
    const work = this.#attempt(delivery, message).finally(() => {
      this.#attempts.delete(work);
      this.wake();
    });
    this.#attempts.add(work);
  }

  async #attempt(delivery: WaitingDelivery, message: WebhookMessage): Promise<void> {
    const { sender, metrics, logger } = this.#options;
    try {
      const result = await sender.send(message);
      metrics.deliveryAttempted(result.durationMs);
      this.#end(delivery, result.error === null ? 'delivered' : 'failed', result);
    } catch (error) {
      const { webhookId: webhook, alertId: alert } = delivery;
      logger.error({ err: error, webhook, alert }, 'webhook delivery failed; its outcome is unknown');
      this.#end(delivery, 'unknown', null);
    }
  }

  /** Passes the end on, and frees the slot. */
  #end(delivery: WaitingDelivery, state: EndState, result: AttemptResult | null): void {
    const { clock, logger } = this.#options;
    const { webhookId: webhook, alertId: alert, host } = delivery;
    logger.debug({ webhook, alert, host, outcome: state, ...result }, 'webhook delivery');
    this.#results.add({ ...delivery, state, finishedAt: clock.now(), result });
    const hasAnswered = result && result.status !== null && result.error !== 'timeout';
    this.queue.release(delivery, hasAnswered);
  }
}
