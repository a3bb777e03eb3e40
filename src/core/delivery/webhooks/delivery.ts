import { EVENT_KINDS, type EventKind } from '../../alerts/numbered-events.ts';
import { DAY_MS, type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';

/** The states of a delivery, each with its meaning in words. All but the first three are final. */
export const STATE_MEANINGS = {
  pending: 'waits for its turn',
  requested: 'waits to be sent again, as its owner has asked',
  claimed: 'is being sent',
  delivered: 'was answered 200 within 5 seconds, or any 2xx if the format is not `json`',
  failed: 'was not delivered; `error` says why',
  unknown: 'was being sent when its process ended: it may have arrived, and is not sent again',
  expired: 'waited for more than 10 minutes, and was not sent',
  cancelled: 'was not sent: the webhook was deleted or paused, or its key may no longer have webhooks',
};
/** State of a delivery. */
export type DeliveryState = keyof typeof STATE_MEANINGS;
/** How a delivery ended. */
export type EndState = Exclude<DeliveryState, 'pending' | 'requested' | 'claimed'>;
/** The states, in this order. */
export const DELIVERY_STATES = Object.keys(STATE_MEANINGS) as readonly DeliveryState[];

/** The errors of an attempt, each with its meaning in words. */
export const ERROR_MEANINGS = {
  dns: 'the name of the host could not be resolved',
  not_public: 'it leads to an address that is not public, and nothing was sent there',
  refused: 'no connection could be made',
  tls: 'no secure connection: a certificate that is wrong, expired or from an unknown authority, or a server without TLS',
  reset: 'the connection broke before there was an answer',
  protocol: 'the answer is not HTTP',
  timeout: 'no status within 5 seconds, including the time to connect',
  redirect: 'it answered with a redirect (3xx); these are not followed',
  status: 'it answered with a status that does not acknowledge the delivery',
};
/** Why an attempt failed. */
export type DeliveryError = keyof typeof ERROR_MEANINGS;
/** The errors, in this order. */
export const DELIVERY_ERRORS = Object.keys(ERROR_MEANINGS) as readonly DeliveryError[];

/** The result of one attempt. It is delivered when `error` is null; `status` is 200 then, or any 2xx if the format is not `json`. */
export interface AttemptResult {
  /** Of the answer; null without an answer. */
  readonly status: number | null;
  readonly error: DeliveryError | null;
  /** From the beginning to the answer or the failure, in whole milliseconds. */
  readonly durationMs: number;
  /**
   * How long the receiver asked to wait (`Retry-After`) when it refused, at most `RETRY_AFTER_MAX_SECONDS`; null if it did not.
   * It has no effect.
   */
  readonly retryAfterSeconds: number | null;
}

/** The number of the event that a delivery carries, under its kind. */
type EventNumber = { readonly [Kind in EventKind]?: number };

/** One alert or event for one webhook, or a test of it: a row of the outbox, and later of the log. */
export interface Delivery extends EventNumber {
  /** `msg_` and what makes it unique. The same alert or event and webhook give the same id. */
  readonly id: string;
  readonly webhookId: string;
  /** Null: an event, or a test that the owner asked for. */
  readonly alertId: number | null;
  /** Id of the delivery that it repeats, as the owner has asked. */
  readonly repeats?: string;
  readonly state: DeliveryState;
  readonly createdAt: EpochMs;
  readonly finishedAt: EpochMs | null;
  /** Null without an attempt, or when its result is unknown. */
  readonly result: AttemptResult | null;
}

/** Bounds of the log. The daily job `retention` removes deliveries older than `keptMs`, so that some stay a day longer. */
export const DELIVERY_LIMITS = { keptMs: 7 * DAY_MS, pageSize: 100, defaultPageSize: 20 } as const;

/** A longer wait is reported as this; the log keeps the delivery for the same time. */
export const RETRY_AFTER_MAX_SECONDS = DELIVERY_LIMITS.keptMs / SECOND_MS;

/** Time limits of the engine, in milliseconds. */
export const DELIVERY_TIMES = {
  /** A delivery that waited longer expires. */
  expiresAfterMs: 10 * MINUTE_MS,
  /** An older claim that is not in flight is lost; only what was claimed less than `sendsWithinMs` ago is sent. */
  claimEndsAfterMs: 60 * SECOND_MS,
  sendsWithinMs: 45 * SECOND_MS,
} as const;

/** The owner is notified once after this many failures in a row. */
export const FAILURES_BEFORE_NOTICE = 20;

/** Whether a state is final. */
export function isEnd(state: DeliveryState): state is EndState {
  return state !== 'pending' && state !== 'requested' && state !== 'claimed';
}

/** Whether a delivery is a test of its owner. */
export function isTest(delivery: Pick<Delivery, 'alertId' | EventKind>): boolean {
  return delivery.alertId === null && eventKindOf(delivery) === undefined;
}

/** The kind of the event that a delivery carries; undefined for an alert and for a test. */
export function eventKindOf(delivery: EventNumber): EventKind | undefined {
  return EVENT_KINDS.find((kind) => delivery[kind] !== undefined);
}

/** The id of the delivery of an alert, or of an event by its number, to a webhook. */
export function deliveryId(webhookId: string, event: number | `${EventKind}_${number}`): string {
  return `msg_${event}_${webhookId.replace(/^wh_/, '')}`;
}

/** How a delivery ended. */
export interface DeliveryEnd extends Pick<Delivery, 'id' | 'finishedAt' | 'result'> {
  readonly state: EndState;
}

/** A page of the delivery log. */
export interface DeliveryPage {
  /** From 1 to `DELIVERY_LIMITS.pageSize`, and one more to see whether more follow. */
  readonly limit: number;
  readonly before?: string;
  readonly state?: DeliveryState;
}
