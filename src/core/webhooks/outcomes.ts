import type { RetryUntilAnswered } from '../async/retry-until-answered.ts';
import type { Logger } from '../logger.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryCounts, EndedDelivery } from './delivery-counts.ts';
import type { DeliveryOutcome, DeliveryStore } from './delivery-store.ts';

/** Outcomes of one write. */
const BATCH_SIZE = 500;

/** An outcome with its webhook and alert. */
export type ClaimedOutcome = DeliveryOutcome & Pick<Delivery, 'webhookId' | 'alertId'>;

interface OutcomeOptions {
  readonly deliveries: Pick<DeliveryStore, 'finish'>;
  readonly counts: Pick<DeliveryCounts, 'add'>;
  readonly retryUntilAnswered: RetryUntilAnswered;
  readonly owner: string;
  /** A unique name for one change. */
  readonly nextCall: () => string;
  readonly yieldToLoop: () => Promise<void>;
  readonly logger: Pick<Logger, 'error'>;
  /** Called when outcomes were written, so that there is room again. */
  readonly onWritten: () => void;
}

/** Writes outcomes in batches, those that come during one write in the next, and keeps them until they are stored. */
export class Outcomes {
  readonly #options: OutcomeOptions;
  readonly #unwritten = new Map<string, ClaimedOutcome>();
  readonly #abandoned = new AbortController();
  #uncounted: EndedDelivery[] = [];
  #isWriting = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: OutcomeOptions) {
    this.#options = options;
  }

  /** How many are not written. */
  get size(): number {
    return this.#unwritten.size;
  }

  /** Writes and counts the outcome of a delivery that this process has claimed. */
  add(outcome: ClaimedOutcome): void {
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
    const { counts, yieldToLoop, logger } = this.#options;
    const { signal } = this.#abandoned;
    this.#isWriting = true;
    try {
      while ((this.#unwritten.size > 0 || this.#uncounted.length > 0) && !signal.aborted) {
        await this.#finishBatch(signal);
        const counted = this.#uncounted;
        this.#uncounted = [];
        await counts.add(counted, signal);
        await yieldToLoop();
      }
    } catch (error) {
      logger.error({ err: error }, 'counting of delivery outcomes failed');
    } finally {
      this.#isWriting = false;
    }
  }

  async #finishBatch(signal: AbortSignal): Promise<void> {
    const { deliveries, owner, nextCall, retryUntilAnswered, onWritten } = this.#options;
    const batch = [...this.#unwritten.values()].slice(0, BATCH_SIZE);
    if (batch.length === 0) return;
    const call = nextCall();
    const rows = batch.map(({ id, state, finishedAt, result }) => ({ id, state, finishedAt, result }));
    const ended = await retryUntilAnswered(() => deliveries.finish(owner, rows, call), { signal });
    if (ended === null) return;
    const endedIds = new Set(ended);
    this.#uncounted.push(...batch.filter(({ id }) => endedIds.has(id)));
    for (const { id } of batch) this.#unwritten.delete(id);
    onWritten();
  }
}
