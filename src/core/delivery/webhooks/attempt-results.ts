import { type Delivery, FAILURES_BEFORE_NOTICE, isEnd, isTest } from './delivery.ts';
import type { DeliveryEngineOptions, StoreCalls } from './delivery-engine-options.ts';
import type { DeliveryResult } from './delivery-store.ts';
import type { Webhook, WebhookCounts } from './webhook.ts';

/** Outcomes of one write. */
const BATCH_SIZE = 500;

/** The end of a delivery that this process has claimed. */
type ClaimedResult = DeliveryResult & EndedDelivery;

type AttemptResultsOptions = CountOptions & Pick<DeliveryEngineOptions, 'deliveries' | 'yieldToLoop'>;

/** Writes outcomes in batches, those that come during one write in the next, and keeps them until they are stored. */
export class AttemptResults {
  readonly #options: AttemptResultsOptions;
  readonly #calls: StoreCalls;
  readonly #counts: DeliveryCounts;
  readonly #onWritten: () => void;
  readonly #unwritten = new Map<string, ClaimedResult>();
  readonly #abandoned = new AbortController();
  #uncounted: EndedDelivery[] = [];
  #isWriting = false;
  #writing: Promise<void> = Promise.resolve();

  /** `onWritten` is called when outcomes were written, so that there is room again. */
  constructor(options: AttemptResultsOptions, calls: StoreCalls, onWritten: () => void) {
    this.#options = options;
    this.#calls = calls;
    this.#counts = new DeliveryCounts(options, calls);
    this.#onWritten = onWritten;
  }

  /** How many are not written. */
  get size(): number {
    return this.#unwritten.size;
  }

  /** Writes and counts the outcome of a delivery that this process has claimed. */
  add(outcome: ClaimedResult): void {
    this.#unwritten.set(outcome.id, outcome);
    this.#begin();
  }

  /** Counts deliveries whose end is stored. */
  count(ended: readonly EndedDelivery[]): void {
    this.#uncounted.push(...ended);
    this.#begin();
  }

  /** Whether this delivery has ended here and is not written. */
  holds(id: string): boolean {
    return this.#unwritten.has(id);
  }

  /** Resolves when everything that was added is written, or abandoned. */
  async written(): Promise<void> {
    while (this.#isWriting) await this.#writing;
  }

  /** Writes no more. */
  abandon(): void {
    this.#abandoned.abort();
  }

  #begin(): void {
    if (!this.#isWriting && !this.#abandoned.signal.aborted) this.#writing = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { yieldToLoop, logger } = this.#options;
    const { signal } = this.#abandoned;
    this.#isWriting = true;
    try {
      while ((this.#unwritten.size > 0 || this.#uncounted.length > 0) && !signal.aborted) {
        await this.#finishBatch(signal);
        const counted = this.#uncounted;
        this.#uncounted = [];
        await this.#counts.add(counted, signal);
        await yieldToLoop();
      }
    } catch (error) {
      logger.error({ err: error }, 'counting of delivery outcomes failed');
    } finally {
      this.#isWriting = false;
    }
  }

  async #finishBatch(signal: AbortSignal): Promise<void> {
    const batch = [...this.#unwritten.values()].slice(0, BATCH_SIZE);
    if (batch.length === 0) return;
    const call = this.#calls.nextCall();
    const rows = batch.map(({ id, state, finishedAt, result }) => ({ id, state, finishedAt, result }));
    const { owner, retryUntilAnswered } = this.#calls;
    const finish = () => this.#options.deliveries.finish(owner, rows, call);
    const ended = await retryUntilAnswered(finish, { signal });
    if (ended === null) return;
    const endedIds = new Set(ended);
    this.#uncounted.push(...batch.filter(({ id }) => endedIds.has(id)));
    for (const { id } of batch) this.#unwritten.delete(id);
    this.#onWritten();
  }
}

/** A delivery whose end is stored. */
type EndedDelivery = Pick<Delivery, 'webhookId' | 'alertId' | 'state'> & {
  readonly outcome?: number | undefined;
};

type CountOptions = Pick<
  DeliveryEngineOptions,
  'webhooks' | 'notifyOwner' | 'clock' | 'logger' | 'metrics' | 'isOutcomeUnknown'
>;

/** Adds ended deliveries to the counts of their webhooks, and notifies an owner of a series of failures. */
class DeliveryCounts {
  readonly #options: CountOptions;
  readonly #calls: StoreCalls;

  constructor(options: CountOptions, calls: StoreCalls) {
    this.#options = options;
    this.#calls = calls;
  }

  /**
   * Adds deliveries in the order they ended. Gives up when the signal aborts. When the answer of the store is lost the
   * counts may be too low: adding is not idempotent, so it is not repeated.
   */
  async add(ended: readonly EndedDelivery[], signal: AbortSignal): Promise<void> {
    const { webhooks, metrics, isOutcomeUnknown } = this.#options;
    for (const { state } of ended) if (isEnd(state)) metrics.deliveryEnded(state);
    const counts = webhookCountsOf(ended);
    if (counts.length === 0) return;
    const limits = { signal, isFinal: isOutcomeUnknown };
    const failing = (await this.#calls.retryUntilAnswered(() => webhooks.addCounts(counts), limits)) ?? [];
    for (const webhook of failing)
      if (webhook.failuresInRow >= FAILURES_BEFORE_NOTICE) await this.#notifyOwner(webhook, signal);
  }

  /** Once for each series of failures: its id holds the count of delivered ones, which does not change within a series. */
  async #notifyOwner(webhook: Webhook, signal: AbortSignal): Promise<void> {
    const { notifyOwner, clock, logger } = this.#options;
    const { id: webhookId, keyId, failuresInRow: failures, delivered } = webhook;
    const url = URL.parse(webhook.url);
    const notice = {
      id: `webhook_failing:${webhookId}:${delivered}`,
      keyId,
      webhookId,
      url: url === null ? '' : url.origin + url.pathname,
      failures,
      at: clock.now(),
    };
    const isNew = await this.#calls.retryUntilAnswered(() => notifyOwner(notice), { signal });
    if (isNew === true)
      logger.warn({ webhook: webhookId, host: url?.host, failures }, 'a webhook keeps failing');
  }
}

/** Tests and cancelled deliveries are not counted. */
function webhookCountsOf(ended: readonly EndedDelivery[]): readonly WebhookCounts[] {
  const counts = new Map<string, WebhookCounts>();
  for (const delivery of ended) {
    const { webhookId: id, state } = delivery;
    if (isTest(delivery) || !isEnd(state) || state === 'cancelled') continue;
    const counted = counts.get(id) ?? { id, delivered: 0, failed: 0, failuresAtEnd: 0 };
    counts.set(id, { ...counted, ...addedTo(counted, state) });
  }
  return [...counts.values()];
}

/** Only a failed attempt continues the series of failures: the result of the other deliveries is unknown. */
function addedTo({ delivered, failed, failuresAtEnd }: WebhookCounts, state: Delivery['state']) {
  if (state === 'delivered') return { delivered: delivered + 1, failuresAtEnd: 0 };
  return { failed: failed + 1, failuresAtEnd: failuresAtEnd + Number(state === 'failed') };
}
