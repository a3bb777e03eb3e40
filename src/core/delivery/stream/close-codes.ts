/** A close frame: code and reason (RFC 6455: at most 123 bytes). */
export interface StreamClose {
  readonly code: number;
  readonly reason: string;
}

/** A close code with its documentation. */
export interface CloseCode extends StreamClose {
  readonly meaning: string;
  /** Whether the same connection can succeed later. */
  readonly isWorthRetrying: boolean;
}

/**
 * All close codes of the server; the documents and clients take theirs from here. 1002 to 1009 have no reason: they are
 * errors of the WebSocket protocol.
 */
export const CLOSE_CODES = {
  goingAway: {
    code: 1001,
    reason: 'The server is going away. Reconnect with since_id.',
    meaning: 'The server is restarting. Reconnect with backoff and `since_id`; no alert is missed.',
    isWorthRetrying: true,
  },
  protocolError: {
    code: 1002,
    reason: '',
    meaning: 'The client sent an invalid WebSocket frame.',
    isWorthRetrying: false,
  },
  notText: {
    code: 1007,
    reason: '',
    meaning: 'A text message of the client was not UTF-8.',
    isWorthRetrying: false,
  },
  tooManyParts: {
    code: 1008,
    reason: '',
    meaning: 'A message of the client had too many fragments.',
    isWorthRetrying: false,
  },
  tooLarge: {
    code: 1009,
    reason: '',
    meaning: 'A message of the client was larger than 64 KiB.',
    isWorthRetrying: false,
  },
  wrongQuery: {
    code: 4400,
    reason: 'The query is wrong',
    meaning: 'The query has an unknown parameter or a wrong value, named in the reason. Correct the query.',
    isWorthRetrying: false,
  },
  keyEnded: {
    code: 4401,
    reason: 'The API key was revoked or has expired. Connect with another key.',
    meaning: 'The key was revoked or has expired while the socket was open. Connect with another key.',
    isWorthRetrying: false,
  },
  tierLacksStream: {
    code: 4403,
    reason: 'The stream is for the pro and enterprise tiers: /upgrade in the bot says how to get one.',
    meaning:
      'The tier of the key has no stream: a free key, or an expired trial. `/upgrade` in the bot says how to get Pro.',
    isWorthRetrying: false,
  },
  missedPing: {
    code: 4408,
    reason: 'No ping within 30 seconds. Send the text ping every 20 to 25 seconds.',
    meaning: 'No `ping` arrived within 30 seconds. Reconnect and send one every 20 to 25 seconds.',
    isWorthRetrying: true,
  },
  tooSlow: {
    code: 4409,
    reason: 'Read too slowly. Reconnect with since_id and read faster.',
    meaning: 'The client read too slowly. Reconnect with `since_id`, and read faster.',
    isWorthRetrying: true,
  },
  tooManyMessages: {
    code: 4429,
    reason: 'More than 10 messages per second. Send a ping only every 20 to 25 seconds.',
    meaning: 'The client sent more than 10 messages per second. A ping every 20 to 25 seconds is enough.',
    isWorthRetrying: false,
  },
} as const satisfies Readonly<Record<string, CloseCode>>;

const RETRIED = Object.values(CLOSE_CODES).filter(
  ({ code, isWorthRetrying }) => isWorthRetrying && code >= 4400,
);

/** What a client does after one of the service's own close codes. Every document uses these words. */
export const RECONNECT_RULE = `After ${RETRIED.map(({ code }) => code).join(' and ')} reconnect with since_id; after any other code from 4400 to 4499 do not reconnect unchanged.`;

/** Why a socket ended: a reason of the server, or `client` if the client disconnected. */
export type StreamEnd = keyof typeof CLOSE_CODES | 'client';
