export { type ClientOptions, createTipoff, type Tipoff } from './client.ts';
export type { Frame, WebSocketClass } from './connection.ts';
export {
  type InvalidValue,
  StreamEndedError,
  type StreamEndReason,
  TipoffConnectionError,
  TipoffError,
} from './errors.ts';
export type { Alert, FollowOptions, StreamEvent, StreamStatus } from './follow.ts';
export type { Exit, Outcome } from './numbered-events.ts';
export type { CallOptions, Input, Operations, Output, Schemas } from './operations.ts';
export type { StreamFilters } from './stream-filters.ts';
export {
  verifyWebhook,
  type WebhookDelivery,
  type WebhookHeaders,
  WebhookUsageError,
  WebhookVerificationError,
} from './webhook.ts';
