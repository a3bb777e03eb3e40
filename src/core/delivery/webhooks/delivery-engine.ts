import { withTimeout } from '../../base/async/with-timeout.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import { AttemptResults } from './attempt-results.ts';
import { isTest } from './delivery.ts';
import { type DeliveryEngineOptions, FAN_OUT_BATCH_SIZE, StoreCalls } from './delivery-engine-options.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { DeliverySweeps } from './delivery-sweeps.ts';
import { Attempts, Dispatch } from './dispatch.ts';
import { FanOutRole } from './fan-out.ts';
import { MessageMaker } from './message-maker.ts';
import type { AddedDelivery } from './new-rows.ts';
import { isInRange, Shares } from './shares.ts';
import { addressOf } from './target-queues.ts';
import { type WaitingParts, WaitingRows } from './waiting-rows.ts';

/** Time limits of `close`, one after the other: for claims in progress, */
const LAST_CLAIM_MS = SECOND_MS;
/** for attempts in flight (the sender itself takes 5 seconds at most), */
const LAST_SENDS_MS = 5.5 * SECOND_MS;
/** and for the outcomes. An outcome that is not written then will be closed as unknown. */
const LAST_WRITE_MS = 2 * SECOND_MS;

/** Deliveries of this process. */
export interface DeliveryStatus {
  /** In memory. */
  readonly waiting: number;
  readonly inFlight: number;
  readonly oldestWaitingAt: EpochMs | null;
}

/**
 * Sends alerts to webhooks: one row for each alert and webhook, made by one process, and one attempt for each row, by the
 * process that claims it first. If the process dies at any moment, a row is sent once, or closed as unknown or expired.
 */
export class DeliveryEngine {
  readonly #options: DeliveryEngineOptions;
  readonly #queue: DeliveryQueue;
  readonly #messages: MessageMaker;
  readonly #outcomes: AttemptResults;
  readonly #attempts: Attempts;
  readonly #dispatch: Dispatch;
  readonly #sweeps: DeliverySweeps;
  readonly #shares: Shares;
  readonly #stopped = new AbortController();
  #fanOut: FanOutRole | null = null;
  #fanningOut: Promise<void> = Promise.resolve();
  #sweeping: Promise<void> = Promise.resolve();

  /** Nothing is read or sent before `start`. */
  constructor(options: DeliveryEngineOptions) {
    this.#options = options;
    const calls = new StoreCalls(options);
    const queue = new DeliveryQueue(options.limits);
    const messages = new MessageMaker(options);
    const outcomes = new AttemptResults(options, calls, () => this.#dispatch.wake());
    const attempts = new Attempts(options, queue, outcomes);
    this.#queue = queue;
    this.#messages = messages;
    this.#outcomes = outcomes;
    this.#attempts = attempts;
    this.#dispatch = new Dispatch(options, { queue, messages, attempts, outcomes, calls });
    this.#shares = new Shares(options);
    const makesRows = () => this.#fanOut?.isHolder === true;
    const parts = { queue, outcomes, calls, shares: this.#shares, makesRows };
    const waiting = new WaitingRows(options, { ...parts, enqueue: this.#enqueue });
    this.#sweeps = new DeliverySweeps(options, { ...parts, waiting });
  }

  /** Continues after the last alert and outcome whose rows are made; the first time after `position`, the ledger's end now. */
  async start(position: number): Promise<void> {
    const { deliveries, settlements, logger } = this.#options;
    const stored = await deliveries.cursor();
    if (stored === null) await deliveries.advance(position);
    const cursor = stored ?? position;
    await settlements.sequence.refresh();
    const { last } = settlements.sequence;
    if ((await deliveries.cursor('outcomes')) === null) await deliveries.advance(last, 'outcomes');
    logger.info({ after: cursor, missed: position - cursor }, 'delivering');
    const { signal } = this.#stopped;
    const onAdded = (added: readonly AddedDelivery[]) => this.#onAdded(added);
    this.#fanOut = new FanOutRole(this.#options, { position, lastOutcome: last, onAdded });
    this.#fanningOut = this.#fanOut.run(signal);
    this.#sweeping = this.#sweeps.run(signal);
  }

  /** Ends what is in flight and stores its outcome, within 9 seconds; waiting rows stay for the next start. */
  async close(): Promise<void> {
    this.#stopped.abort();
    const lastWork = Promise.allSettled([this.#dispatch.stop(), this.#fanningOut, this.#sweeping]);
    await this.#within(LAST_CLAIM_MS, lastWork);
    this.#dispatch.seal();
    await this.#within(LAST_SENDS_MS, this.#attempts.ended());
    await this.#within(LAST_WRITE_MS, this.#outcomes.written());
    const { size } = this.#outcomes;
    if (size > 0) this.#options.logger.warn({ deliveries: size }, 'outcomes of deliveries were not stored');
    this.#outcomes.abandon();
  }

  status(): DeliveryStatus {
    const { waiting, inFlight } = this.#queue;
    return { waiting, inFlight, oldestWaitingAt: this.#queue.oldest() };
  }

  async #within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
    await withTimeout({ clock: this.#options.clock, timeoutMs }, work).catch(() => {});
  }

  #onAdded(added: readonly AddedDelivery[]): void {
    this.#outcomes.count(added.map(({ delivery }) => delivery).filter(({ state }) => state === 'expired'));
    const pending = added.filter(({ delivery }) => delivery.state === 'pending');
    for (const alert of new Set(pending.map((row) => row.alert)))
      if (alert !== null) this.#messages.keep(alert);
    // The other processes see their shares with their next read: few deliveries do not wait for it.
    const isFew = added.length < (this.#options.fanOutBatchSize ?? FAN_OUT_BATCH_SIZE);
    const own = this.#shares.own();
    const taken = isFew ? pending : pending.filter(({ webhook }) => isInRange(own, webhook.id));
    this.#enqueue(taken.map(({ delivery, webhook }) => ({ delivery, address: addressOf(webhook) })));
  }

  readonly #enqueue: WaitingParts['enqueue'] = (rows) => {
    const taken = rows.filter(({ delivery, address }) => {
      if (isTest(delivery)) return false;
      const { id, webhookId, alertId, outcome, repeats, createdAt } = delivery;
      return this.#queue.enqueue({ id, webhookId, alertId, outcome, repeats, createdAt, ...address });
    });
    this.#options.metrics.deliveriesWaiting(this.#queue.waiting);
    this.#dispatch.wake();
    return taken.length;
  };
}
