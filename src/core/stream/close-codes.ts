/** Why the server ends a socket: the code, and the text that goes with it (RFC 6455: at most 123 bytes). */
export interface StreamClose {
  readonly code: number;
  readonly reason: string;
}

/** What a close code of the stream means, for clients and for the documents. */
export interface CloseCode extends StreamClose {
  readonly meaning: string;
  /** Whether the same connection, opened again with backoff, can work. */
  readonly isWorthRetrying: boolean;
}

/**
 * Every code the server ends a socket with (design, sockets). 44xx mean: do not come back unchanged. The reasons of
 * 1002 to 1009 are empty: the WebSocket protocol itself refuses what the client sent.
 */
export const CLOSE_CODES = {
  goingAway: {
    code: 1001,
    reason: 'The server is going away. Reconnect with since_id.',
    meaning: 'The server is restarting. Reconnect with backoff and `since_id`: nothing is missed.',
    isWorthRetrying: true,
  },
  protocolError: {
    code: 1002,
    reason: '',
    meaning: 'What the client sent is no WebSocket frame.',
    isWorthRetrying: false,
  },
  notText: {
    code: 1007,
    reason: '',
    meaning: 'A text message of the client was no UTF-8.',
    isWorthRetrying: false,
  },
  tooManyParts: {
    code: 1008,
    reason: '',
    meaning: 'A message of the client came in too many parts.',
    isWorthRetrying: false,
  },
  tooLarge: {
    code: 1009,
    reason: '',
    meaning: 'A message of the client was larger than 64 KiB.',
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
    reason: 'The stream is for the pro and enterprise tiers. Upgrade the key.',
    meaning: 'The tier of the key has no stream: a free key, or a trial that has ended.',
    isWorthRetrying: false,
  },
  missedPing: {
    code: 4408,
    reason: 'No ping within 30 seconds. Send the text ping every 20 to 25 seconds.',
    meaning: 'No `ping` arrived within 30 seconds. Reconnect and send one every 20 to 25 seconds.',
    isWorthRetrying: false,
  },
  tooSlow: {
    code: 4409,
    reason: 'Read too slowly. Reconnect with since_id and read faster.',
    meaning: 'The client did not read what was sent. Reconnect with `since_id`, and read faster.',
    isWorthRetrying: false,
  },
  tooManyMessages: {
    code: 4429,
    reason: 'More than 10 messages a second. Send a ping every 20 to 25 seconds only.',
    meaning: 'The client sent more than 10 messages a second. A ping every 20 to 25 seconds is enough.',
    isWorthRetrying: false,
  },
} as const satisfies Readonly<Record<string, CloseCode>>;

/** Who ended a socket: the server, for one of its reasons, or the client, by leaving. */
export type StreamEnd = keyof typeof CLOSE_CODES | 'client';
