import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { createRetryUntilAnswered } from '../async/retry-until-answered.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { ChatOutbox } from '../chat/chat-outbox.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Feed } from '../ledger/feed.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import { createAttempts } from './attempts.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { DeliveryQueue, type DeliveryQueueLimits } from './delivery-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { createDispatch } from './dispatch.ts';
import { type AddedDelivery, fanOut } from './fan-out.ts';
import { createMessageMaker } from './message-maker.ts';
import { createOutcomes } from './outcomes.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import { sweepDeliveries } from './sweeps.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookSender } from './webhook-sender.ts';
import type { WebhookStore } from './webhook-store.ts';

/** What is being claimed at the end has so long. */
const LAST_CLAIM_MS = SECOND_MS;
/** What is being sent then; the sender itself takes 5 seconds at most. */
const LAST_SENDS_MS = 5.5 * SECOND_MS;
/** And the outcomes of it. What is not written then will be closed as unknown. */
const LAST_WRITE_MS = 2 * SECOND_MS;

/** Where the engine stands. */
export interface DeliveryStatus {
  /** In memory. */
  readonly waiting: number;
  readonly inFlight: number;
  readonly oldestWaitingAt: EpochMs | null;
}

/**
 * Sends alerts to webhooks: one row an alert and webhook, one attempt a row, by whichever process claims it first.
 * What it does survives the loss of the process at any moment: a row is sent once, or closed as unknown or expired.
 */
export interface DeliveryEngine {
  /** Goes on behind the last alert whose rows are made; the first time behind `position`, the ledger's end now. */
  start(position: number): Promise<void>;
  /** Lets what is under way end and stores what came of it, within 9 seconds; what waits stays for the next start. */
  close(): Promise<void>;
  status(): DeliveryStatus;
}

/** What the engine stands on. */
export interface DeliveryEngineDeps {
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
  /** Names this process; unique among all that ever ran. */
  readonly owner: string;
  /** Whether an owner is known to live no more. */
  readonly isGone: (owner: string) => boolean;
  /** Whether a write that failed with this error may have happened or may still happen. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
  /** Resolves when everything else had its turn: a store that answers at once would keep it waiting. */
  readonly yieldToLoop: () => Promise<void>;
  readonly limits?: DeliveryQueueLimits;
}

/** Builds the engine; nothing is read or sent before `start`. */
export function createDeliveryEngine(deps: DeliveryEngineDeps): DeliveryEngine {
  const { deliveries, feed, clock, logger } = deps;
  const parts = createParts(deps);
  const { queue, messages, outcomes, attempts, dispatch, enqueue } = parts;
  const stop = new AbortController();
  let unsubscribe = () => {};
  let fanning: Promise<void> = Promise.resolve();
  let sweeping: Promise<void> = Promise.resolve();

  function onAdded(added: readonly AddedDelivery[]): void {
    outcomes.count(added.map(({ delivery }) => delivery).filter(({ state }) => state === 'expired'));
    const pending = added.filter(({ delivery }) => delivery.state === 'pending');
    for (const alert of new Set(pending.map((row) => row.alert))) messages.keep(alert);
    enqueue(pending);
  }

  return {
    async start(position) {
      const cursor = await deliveries.cursor();
      if (cursor === null) await deliveries.advance(position);
      logger.info({ after: cursor ?? position, missed: position - (cursor ?? position) }, 'delivering');
      sweeping = sweepDeliveries({ ...deps, ...parts }, stop.signal);
      unsubscribe = feed.subscribe(cursor ?? position, (alerts) => {
        fanning = fanOut({ ...deps, onAdded }, alerts, position);
        return fanning;
      });
    },
    async close() {
      unsubscribe();
      stop.abort();
      const lastWork = Promise.allSettled([dispatch.stop(), fanning, sweeping]);
      await giving(LAST_CLAIM_MS, lastWork);
      dispatch.seal();
      await giving(LAST_SENDS_MS, attempts.ended());
      await giving(LAST_WRITE_MS, outcomes.written());
      if (outcomes.size > 0) logger.warn({ deliveries: outcomes.size }, 'outcomes could not be stored');
      outcomes.abandon();
    },
    status: () => ({
      waiting: queue.waiting,
      inFlight: queue.inFlight,
      oldestWaitingAt: queue.oldest(),
    }),
  };

  async function giving(timeoutMs: number, work: Promise<unknown>): Promise<void> {
    await withTimeout({ clock, timeoutMs }, work).catch(() => {});
  }
}

function createParts(deps: DeliveryEngineDeps) {
  let calls = 0;
  const nextCall = () => {
    calls += 1;
    return `${deps.owner}#${calls}`;
  };
  const queue = new DeliveryQueue(deps.limits);
  const base = { ...deps, queue, nextCall, retryUntilAnswered: createRetryUntilAnswered(deps) };
  const messages = createMessageMaker(deps);
  const outcomes = createOutcomes({ ...base, onWritten: () => dispatch.wake() });
  const attempts = createAttempts({ ...base, outcomes });
  const dispatch = createDispatch({ ...base, messages, attempts, outcomes });
  const enqueue = (rows: readonly { readonly delivery: Delivery; readonly webhook: Webhook }[]): number => {
    const taken = rows.filter(({ delivery, webhook }) => {
      const { id, alertId, createdAt } = delivery;
      if (alertId === null) return false;
      const { id: webhookId, keyId, url } = webhook;
      // One that is no address fails by itself when it is sent to.
      const host = URL.parse(url)?.host ?? url;
      return queue.enqueue({ id, webhookId, alertId, createdAt, host, keyId });
    });
    deps.metrics.deliveriesWaiting(queue.waiting);
    dispatch.wake();
    return taken.length;
  };
  return { queue, nextCall, messages, outcomes, attempts, dispatch, enqueue };
}
