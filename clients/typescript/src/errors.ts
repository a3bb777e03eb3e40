/** An invalid value of a request, as a 422 names it. */
export interface InvalidValue {
  /** Where it is, such as `["query", "limit"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface RefusalFields {
  readonly status: number;
  readonly code: string | null;
  readonly detail: string | readonly InvalidValue[];
  readonly requestId: string | null;
  readonly retryAfter: number | null;
}

/** An answer of the service other than a success. */
export class TipoffError extends Error implements RefusalFields {
  override name = 'TipoffError';
  /** The HTTP status. */
  readonly status: number;
  /** The cause as a word, such as `rate_limited`; null from a server that sends none. */
  readonly code: string | null;
  /** The cause in words; of a 422 the invalid values. */
  readonly detail: string | readonly InvalidValue[];
  /** For a report to the operator. */
  readonly requestId: string | null;
  /** Seconds after which the request may succeed; null if the server named none. */
  readonly retryAfter: number | null;

  constructor({ status, code, detail, requestId, retryAfter }: RefusalFields) {
    super(`${status}${code === null ? '' : ` ${code}`}: ${inWords(detail)}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/**
 * A request got no answer that can be read: no connection, a connection that was lost, or the time limit. `cause` is the
 * error of `fetch`.
 */
export class TipoffConnectionError extends Error {
  override name = 'TipoffConnectionError';
  /**
   * Whether the same request can be sent again without harm: the client has done so `retries` times. Wait some seconds
   * before you do. If false, the service may have done what was asked: look before you ask again.
   */
  readonly isRepeatable: boolean;

  /** `request`: the method and the address. */
  constructor(request: string, { cause, isRepeatable }: { cause: unknown; isRepeatable: boolean }) {
    super(`${request}: ${causeInWords(cause)}`, { cause });
    this.isRepeatable = isRepeatable;
  }
}

/** Why the server has ended a stream. */
export type StreamEndReason =
  /** The key was revoked or has expired. */
  | 'key_ended'
  /** The tier of the key has no stream. */
  | 'tier_lacks_stream'
  /** The Pro trial of the key has ended: the key is Free now. */
  | 'trial_ended'
  /** Any other close code after which a client must not reconnect unchanged. */
  | 'refused';

/** The server has closed the stream, and connecting again unchanged would fail. */
export class StreamEndedError extends Error {
  override name = 'StreamEndedError';
  /** The close code of the WebSocket, such as 4403. */
  readonly closeCode: number;
  readonly reason: StreamEndReason;
  /** The words of the server, such as the name of an unknown filter; empty if it sent none. */
  readonly detail: string;

  constructor(closeCode: number, reason: StreamEndReason, words: string, detail = '') {
    super(`${closeCode}: ${words}`);
    this.closeCode = closeCode;
    this.reason = reason;
    this.detail = detail;
  }
}

function inWords(detail: string | readonly InvalidValue[]): string {
  if (typeof detail === 'string') return detail;
  return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}

/** `fetch` says only `fetch failed`: the reason is in its cause. */
function causeInWords(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { message, cause: inner } = cause;
  return inner instanceof Error && inner.message !== '' ? `${message}: ${inner.message}` : message;
}
