/** How a try to send went. `place` names the message, to edit or remove it. */
export type SendResult =
  | { readonly ok: true; readonly place: string }
  /**
   * `blocked`: they want no messages. `gone`: no such chat, message or right; from `edit` and `reply` only that the
   * message was deleted. `refused`: it will never be taken.
   */
  | { readonly ok: false; readonly reason: 'blocked' | 'gone' | 'refused'; readonly detail: string }
  /** To be tried again, not before `retryAfterMs`. `unknown`: it may have arrived. */
  | {
      readonly ok: false;
      readonly reason: 'later' | 'unknown';
      readonly retryAfterMs: number;
      readonly detail: string;
    };

/**
 * Sends to one platform at the platform's pace. Never throws for what the platform answers. `View` is what the platform
 * shows; `details` never hold a token or a key.
 */
export interface Messenger<View> {
  /** To a private chat (`Visitor.chat`) or to the configured channel. */
  send(to: { readonly chat: string } | 'channel', view: View, signal: AbortSignal): Promise<SendResult>;
  edit(messageRef: string, view: View, signal: AbortSignal): Promise<SendResult>;
  /** Below a message, when it cannot be edited. */
  reply(messageRef: string, view: View, signal: AbortSignal): Promise<SendResult>;
  remove(messageRef: string, signal: AbortSignal): Promise<SendResult>;
}
