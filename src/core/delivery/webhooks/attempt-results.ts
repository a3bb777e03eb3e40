import { type Delivery, type DeliveryEnd, FAILURES_BEFORE_NOTICE, isEnd, isTest } from './delivery.ts';
import type { DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import type { Webhook, WebhookCounts } from './webhook.ts';

const BATCH_SIZE = 500;

/** Writes attempt results in batches, those that come during one write in the next, and keeps them until they are stored. */
export class AttemptResults {
  readonly #options: DeliveryEngineOptions;
  readonly #calls: StoreCalls;
  readonly #onWritten: () => void;
  readonly #unwritten = new Map<string, Delivery & DeliveryEnd>();
  readonly #abandoned = new AbortController();
  #uncounted: Delivery[] = [];
  #isWriting = false;
  #writing: Promise<void> = Promise.resolve();

  /** `onWritten` is called when results were written, so that there is room again. */
  constructor(options: DeliveryEngineOptions, calls: StoreCalls, onWritten: () => void) {
    this.#options = options;
    this.#calls = calls;
    this.#onWritten = onWritten;
  }

  get size(): number {
    return this.#unwritten.size;
  }

  /** Writes and counts a delivery that this process has claimed and that has ended. */
  add(ended: Delivery & DeliveryEnd): void {
    this.#unwritten.set(ended.id, ended);
    this.#begin();
  }

  /** Counts deliveries whose end is stored. */
  count(ended: readonly Delivery[]): void {
    this.#uncounted.push(...ended);
    this.#begin();
  }

  /** Whether this delivery has ended here but is not written yet. */
  holds(id: string): boolean {
    return this.#unwritten.has(id);
  }

  /** Resolves when everything that was added is written, or abandoned. */
  async written(): Promise<void> {
    while (this.#isWriting) await this.#writing;
  }

  abandon(): void {
    this.#abandoned.abort();
  }

  #begin(): void {
    if (!this.#isWriting && !this.#abandoned.signal.aborted) this.#writing = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { yieldToLoop, logger } = this.#options;
    this.#isWriting = true;
    try {
      while ((this.size > 0 || this.#uncounted.length > 0) && !this.#abandoned.signal.aborted) {
        await this.#finishBatch();
        const counted = this.#uncounted;
        this.#uncounted = [];
        await this.#addCounts(counted);
        await yieldToLoop();
      }
    } catch (error) {
      logger.error({ err: error }, 'counting of delivery outcomes failed');
    } finally {
      this.#isWriting = false;
    }
  }

  async #finishBatch(): Promise<void> {
    const batch = [...this.#unwritten.values()].slice(0, BATCH_SIZE);
    if (batch.length === 0) return;
    const call = this.#calls.nextCall();
    const finish = () => this.#options.deliveries.finish(batch, call);
    const ended = await this.#calls.retryUntilAnswered(finish, { signal: this.#abandoned.signal });
    if (ended === null) return;
    const endedIds = new Set(ended);
    this.#uncounted.push(...batch.filter(({ id }) => endedIds.has(id)));
    for (const { id } of batch) this.#unwritten.delete(id);
    this.#onWritten();
  }

  /**
   * Adds deliveries to the counts of their webhooks in the order they ended, and notifies owners of a series of failures.
   * Counts may be too low when the answer of the store is lost, since adding is not idempotent and not repeated, and when
   * the process dies between the outcome and its count. The outcomes themselves are in the log of deliveries.
   */
  async #addCounts(ended: readonly Delivery[]): Promise<void> {
    const { webhooks, metrics, isOutcomeUnknown } = this.#options;
    for (const { state } of ended) if (isEnd(state)) metrics.deliveryEnded(state);
    const counts = webhookCountsOf(ended);
    if (counts.length === 0) return;
    const limits = { signal: this.#abandoned.signal, isFinal: isOutcomeUnknown };
    const failing = (await this.#calls.retryUntilAnswered(() => webhooks.addCounts(counts), limits)) ?? [];
    for (const webhook of failing)
      if (webhook.failuresInRow >= FAILURES_BEFORE_NOTICE) await this.#notifyOwner(webhook);
  }

  /** Once per series of failures: the id contains the count of successful deliveries, which does not change within a series. */
  async #notifyOwner(webhook: Webhook): Promise<void> {
    const { notifyOwner, clock, logger } = this.#options;
    const { id: webhookId, keyId, failuresInRow: failures, delivered } = webhook;
    const url = URL.parse(webhook.url);
    const notice = {
      id: `webhook_failing:${webhookId}:${delivered}`,
      keyId,
      webhookId,
      // For a chat service, anyone who has the path can post there.
      url: url === null ? '' : url.origin + (webhook.format === 'json' ? url.pathname : ''),
      failures,
      at: clock.now(),
    };
    const { signal } = this.#abandoned;
    const isNew = await this.#calls.retryUntilAnswered(() => notifyOwner(notice), { signal });
    if (isNew === true)
      logger.warn({ webhook: webhookId, host: url?.host, failures }, 'a webhook keeps failing');
  }
}

function webhookCountsOf(ended: readonly Delivery[]): readonly WebhookCounts[] {
  const counts = new Map<string, WebhookCounts>();
  for (const delivery of ended) {
    const { webhookId: id, state } = delivery;
    if (isTest(delivery) || !isEnd(state) || state === 'cancelled') continue;
    const { delivered, failed, failuresAtEnd } = counts.get(id) ?? NONE;
    const isDelivered = state === 'delivered';
    counts.set(id, {
      id,
      delivered: delivered + Number(isDelivered),
      failed: failed + Number(!isDelivered),
      // Only a failed attempt continues the series of failures: the result of the other deliveries is unknown.
      failuresAtEnd: isDelivered ? 0 : failuresAtEnd + Number(state === 'failed'),
    });
  }
  return [...counts.values()];
}

const NONE = { delivered: 0, failed: 0, failuresAtEnd: 0 } as const;
