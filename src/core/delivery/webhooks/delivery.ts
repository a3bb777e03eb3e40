import { DAY_MS, type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';

/** The states of a delivery, each in words for people. All but the first three are ends. */
export const STATE_MEANINGS = {
  pending: 'waits for its turn',
  requested: 'waits to be sent again, as its owner has asked',
  claimed: 'is being sent',
  delivered: 'was answered 200 within 5 seconds',
  failed: 'was not; `error` says why',
  unknown: 'was being sent when its process ended: it may have arrived, and is not sent again',
  expired: 'waited for more than 10 minutes, and was not sent',
  cancelled: 'was not sent: the webhook was deleted or paused, or its key may not have webhooks any more',
};
/** How a delivery stands. */
export type DeliveryState = keyof typeof STATE_MEANINGS;
/** How a delivery ended. */
export type EndState = Exclude<DeliveryState, 'pending' | 'requested' | 'claimed'>;
/** The states, in this order. */
export const DELIVERY_STATES = Object.keys(STATE_MEANINGS) as readonly DeliveryState[];

/** The errors of an attempt, each in words for people. */
export const ERROR_MEANINGS = {
  dns: 'the name of the host could not be resolved',
  not_public: 'it leads to an address that is not public, and nothing was sent there',
  refused: 'no connection could be made',
  tls: 'no secure connection: a certificate that is wrong, expired or of an unknown authority, or a server that speaks no TLS',
  reset: 'the connection broke before there was an answer',
  protocol: 'the answer is no HTTP',
  timeout: 'no status within 5 seconds, connecting included',
  redirect: 'it answered with a redirect (3xx); these are not followed',
  status: 'it answered with another status than 200',
};
/** Why an attempt failed. */
export type DeliveryError = keyof typeof ERROR_MEANINGS;
/** The errors, in this order. */
export const DELIVERY_ERRORS = Object.keys(ERROR_MEANINGS) as readonly DeliveryError[];

/** The result of one attempt. It is delivered when `error` is null; `status` is 200 then. */
export interface AttemptResult {
  /** Of the answer; null without an answer. */
  readonly status: number | null;
  readonly error: DeliveryError | null;
  /** From the beginning to the answer or the failure, in whole milliseconds. */
  readonly durationMs: number;
}

/** One alert or outcome for one webhook, or a test of it: a row of the outbox, and later of the log. */
export interface Delivery {
  /** `msg_` and what makes it unique. The same alert or outcome and webhook give the same id. */
  readonly id: string;
  readonly webhookId: string;
  /** Null: an outcome, or a test that the owner asked for. */
  readonly alertId: number | null;
  /** Number of the outcome that it carries. */
  readonly outcome?: number;
  /** Id of the delivery that it repeats, as the owner has asked. */
  readonly repeats?: string;
  readonly state: DeliveryState;
  readonly createdAt: EpochMs;
  readonly finishedAt: EpochMs | null;
  /** Null without an attempt, or when its result is unknown. */
  readonly result: AttemptResult | null;
}

/** Bounds of the log; deliveries older than `keptMs` are removed. */
export const DELIVERY_LIMITS = { keptMs: 7 * DAY_MS, pageSize: 100, defaultPageSize: 20 } as const;

/** Time limits of the engine, in milliseconds. */
export const DELIVERY_TIMES = {
  /** A delivery that waited longer expires. */
  expiresAfterMs: 10 * MINUTE_MS,
  /** An older claim is that of a dead process; a process sends only what it claimed less than `sendsWithinMs` ago. */
  claimEndsAfterMs: 60 * SECOND_MS,
  sendsWithinMs: 45 * SECOND_MS,
  /** A younger claim is not looked at: it is as good as always in flight. */
  inFlightMs: 5 * SECOND_MS,
  /** A row that waits longer and is in no process's memory is a stray. */
  straysAfterMs: 5 * SECOND_MS,
} as const;

/** The owner is notified once after this many failures in a row. */
export const FAILURES_BEFORE_NOTICE = 20;

/** Whether a state is an end. */
export function isEnd(state: DeliveryState): state is EndState {
  return state !== 'pending' && state !== 'requested' && state !== 'claimed';
}

/** Whether a delivery is a test of its owner. */
export function isTest({
  alertId,
  outcome,
}: Pick<Delivery, 'alertId'> & { readonly outcome?: number | undefined }): boolean {
  return alertId === null && outcome === undefined;
}

/** The header `webhook-id`: a repeated delivery has that of the first, so that the receiver recognises it. */
export function messageIdOf({
  id,
  repeats,
}: {
  readonly id: string;
  readonly repeats?: string | undefined;
}): string {
  return repeats ?? id;
}

/** The id of an alert's delivery to a webhook. */
export function deliveryId(webhookId: string, event: number | `outcome_${number}`): string {
  return `msg_${event}_${webhookId.replace(/^wh_/, '')}`;
}

/** The id of an outcome's delivery to a webhook. */
export function outcomeDeliveryId(webhookId: string, outcome: number): string {
  return deliveryId(webhookId, `outcome_${outcome}`);
}
