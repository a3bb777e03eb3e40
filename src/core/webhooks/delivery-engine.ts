import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { ChatOutbox } from '../chat/chat-queue.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Feed } from '../ledger/feed.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { DeliveryQueue, type DeliveryQueueLimits } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { DeliverySweeps } from './delivery-sweeps.ts';
import { Attempts, Dispatch } from './dispatch.ts';
import { type AddedDelivery, fanOut } from './fan-out.ts';
import { MessageMaker } from './message-maker.ts';
import { DeliveryCounts, Outcomes } from './outcomes.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import { StoreCalls } from './store-calls.ts';
import type { WebhookStore } from './webhook.ts';
import type { WebhookSender } from './webhook-sender.ts';

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

/** Stores, feed and functions that a `DeliveryEngine` uses. */
export interface DeliveryEngineOptions {
  readonly deliveries: DeliveryStore;
  readonly webhooks: Pick<WebhookStore, 'active' | 'byIds' | 'addCounts'>;
  readonly keys: Pick<KeyStore, 'byIds'>;
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly chat: ChatOutbox;
  readonly feed: Pick<Feed, 'subscribe'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly signingSecrets: SigningSecrets;
  /** The body of an alert's deliveries, JSON. */
  readonly serialise: (alert: Alert) => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DeliveryMetrics;
  /** Unique process id. */
  readonly owner: string;
  /** Whether the process of this owner is known to be dead. */
  readonly isGone: (owner: string) => boolean;
  /** Whether a write that failed with this error may have happened or may still happen. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
  /** Resolves in the next turn of the event loop: a store that answers immediately would block it. */
  readonly yieldToLoop: () => Promise<void>;
  readonly limits?: DeliveryQueueLimits;
}

/**
 * Sends alerts to webhooks: one row for each alert and webhook, one attempt for each row, by the process that claims it
 * first. If the process dies at any moment, a row is sent once, or closed as unknown or expired.
 */
export class DeliveryEngine {
  readonly #options: DeliveryEngineOptions;
  readonly #queue: DeliveryQueue;
  readonly #messages: MessageMaker;
  readonly #outcomes: Outcomes;
  readonly #attempts: Attempts;
  readonly #dispatch: Dispatch;
  readonly #sweeps: DeliverySweeps;
  readonly #stopped = new AbortController();
  #unsubscribe = () => {};
  #fanningOut: Promise<void> = Promise.resolve();
  #sweeping: Promise<void> = Promise.resolve();

  /** Nothing is read or sent before `start`. */
  constructor(options: DeliveryEngineOptions) {
    this.#options = options;
    const { deliveries, webhooks, keys, alerts, chat, sender, signingSecrets, serialise } = options;
    const { clock, logger, metrics, isGone, isOutcomeUnknown, yieldToLoop } = options;
    const calls = new StoreCalls(options);
    const { retryUntilAnswered } = calls;
    const counts = { webhooks, chat, retryUntilAnswered, clock, logger, metrics, isOutcomeUnknown };
    const queue = new DeliveryQueue(options.limits);
    const messages = new MessageMaker({ webhooks, keys, alerts, signingSecrets, serialise, clock });
    const outcomes = new Outcomes({
      deliveries,
      counts: new DeliveryCounts(counts),
      calls,
      yieldToLoop,
      logger,
      onWritten: () => this.#dispatch.wake(),
    });
    const attempts = new Attempts({ queue, outcomes, sender, clock, logger, metrics });
    this.#queue = queue;
    this.#messages = messages;
    this.#outcomes = outcomes;
    this.#attempts = attempts;
    this.#dispatch = new Dispatch({
      deliveries,
      queue,
      messages,
      attempts,
      outcomes,
      calls,
      yieldToLoop,
      clock,
      logger,
      metrics,
    });
    this.#sweeps = new DeliverySweeps({
      deliveries,
      webhooks,
      queue,
      outcomes,
      enqueue: this.#enqueue,
      calls,
      isGone,
      yieldToLoop,
      clock,
      logger,
    });
  }

  /** Continues after the last alert whose rows are made; the first time after `position`, the ledger's end now. */
  async start(position: number): Promise<void> {
    const { deliveries, webhooks, keys, feed, clock, logger, yieldToLoop } = this.#options;
    const stored = await deliveries.cursor();
    if (stored === null) await deliveries.advance(position);
    const cursor = stored ?? position;
    logger.info({ after: cursor, missed: position - cursor }, 'delivering');
    this.#sweeping = this.#sweeps.run(this.#stopped.signal);
    const onAdded = (added: readonly AddedDelivery[]) => this.#onAdded(added);
    const parts = { deliveries, webhooks, keys, clock, yieldToLoop, onAdded };
    this.#unsubscribe = feed.subscribe(cursor, (alerts) => {
      this.#fanningOut = fanOut(parts, alerts, position);
      return this.#fanningOut;
    });
  }

  /** Ends what is in flight and stores its outcome, within 9 seconds; waiting rows stay for the next start. */
  async close(): Promise<void> {
    this.#unsubscribe();
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
    for (const alert of new Set(pending.map((row) => row.alert))) this.#messages.keep(alert);
    this.#enqueue(pending);
  }

  readonly #enqueue = (rows: readonly Pick<AddedDelivery, 'delivery' | 'webhook'>[]): number => {
    const taken = rows.filter(({ delivery, webhook }) => {
      const { id, alertId, createdAt } = delivery;
      if (alertId === null) return false;
      const { id: webhookId, keyId, url } = webhook;
      // An invalid URL fails when it is sent to.
      const host = URL.parse(url)?.host ?? url;
      return this.#queue.enqueue({ id, webhookId, alertId, createdAt, host, keyId });
    });
    this.#options.metrics.deliveriesWaiting(this.#queue.waiting);
    this.#dispatch.wake();
    return taken.length;
  };
}
