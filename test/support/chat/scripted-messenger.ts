import type { Messenger, SendFailure, SendResult } from '../../../src/core/chat/messenger.ts';

/** One call of a messenger: its content, and the chat. */
export interface MessengerCall {
  readonly how: 'send' | 'edit' | 'reply' | 'remove';
  /** `channel`, a chat, or the place of the message that was changed. */
  readonly where: string;
  readonly view: string | null;
}

export type Answer = (
  call: MessengerCall,
  signal: AbortSignal,
) => SendResult | undefined | Promise<SendResult | undefined>;

/** A platform with scripted answers, which records what it was given. Views are texts. */
export function scriptedMessenger(answer: Answer = () => undefined) {
  const calls: MessengerCall[] = [];
  async function take(call: MessengerCall, signal: AbortSignal): Promise<SendResult> {
    calls.push(call);
    const place = call.how === 'send' || call.how === 'reply' ? `m${calls.length}` : call.where;
    return (await answer(call, signal)) ?? { ok: true, place };
  }
  const messenger: Messenger<string> = {
    send: (to, view, signal) => take({ how: 'send', where: to === 'channel' ? to : to.chat, view }, signal),
    edit: (where, view, signal) => take({ how: 'edit', where, view }, signal),
    reply: (where, view, signal) => take({ how: 'reply', where, view }, signal),
    remove: (where, signal) => take({ how: 'remove', where, view: null }, signal),
  };
  return { messenger, calls };
}

/** A platform that asks to be tried again. */
export function later(retryAfterMs = 0): SendFailure {
  return { ok: false, reason: 'later', retryAfterMs, detail: '429' };
}

/** A platform that did not say whether it took it. */
export const UNKNOWN: SendResult = { ok: false, reason: 'unknown', retryAfterMs: 0, detail: 'timeout' };

export function refusal(reason: 'blocked' | 'gone' | 'refused'): SendResult {
  return { ok: false, reason, detail: 'no' };
}

/** The first calls get these answers, the rest is taken. */
export function first(...answers: readonly SendResult[]): Answer {
  const left = [...answers];
  return () => left.shift();
}

export function views(calls: readonly MessengerCall[]): readonly (string | null)[] {
  return calls.map(({ view }) => view);
}
