/** Outcome of an attempt to send. `place` refers to the message, for edits and removal. */
export type SendResult =
  | { readonly ok: true; readonly place: string }
  /**
   * `blocked`: the person blocked the bot. `gone`: no such chat, message or permission; from `edit` and `reply` only: the
   * message was deleted. `refused`: a retry is pointless.
   */
  | { readonly ok: false; readonly reason: 'blocked' | 'gone' | 'refused'; readonly detail: string }
  /**
   * Retry after `retryAfterMs`. `unknown`: the message may have arrived. `isChatOnly`: messages to other chats need not
   * wait; default false.
   */
  | {
      readonly ok: false;
      readonly reason: 'later' | 'unknown';
      readonly retryAfterMs: number;
      readonly isChatOnly?: boolean;
      readonly detail: string;
    };

/** A failed attempt to send. */
export type SendFailure = Extract<SendResult, { readonly ok: false }>;

/** Which messages go first where a platform limits the rate: channels, then people in real time, then people at the free delay. */
export const MESSAGE_RANKS = ['channel', 'first', 'later'] as const;
export type MessageRank = (typeof MESSAGE_RANKS)[number];

/** Sends to one platform within its rate limits. Never throws; `detail` holds no token and no key. */
export interface Messenger<View> {
  /** How long the platform recognises a repeated `nonce`, and answers with what is there; absent: never. */
  readonly deduplicatesForMs?: number;
  /** The same messenger for messages of a rank; absent if the platform has no ranks. */
  ranked?(rank: MessageRank): Messenger<View>;
  /** To a private chat or the configured channel. `nonce`: identifies the message, by default its content. */
  send(
    to: { readonly chat: string } | 'channel',
    view: View,
    signal: AbortSignal,
    nonce?: string,
  ): Promise<SendResult>;
  edit(messageRef: string, view: View, signal: AbortSignal): Promise<SendResult>;
  /** Replies to a message that cannot be edited. */
  reply(messageRef: string, view: View, signal: AbortSignal, nonce?: string): Promise<SendResult>;
  remove(messageRef: string, signal: AbortSignal): Promise<SendResult>;
}
