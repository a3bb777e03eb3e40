import type { Messenger, SendResult } from '../../../src/core/chat/messenger.ts';
import { UNKNOWN } from './scripted-messenger.ts';

/** `lost`: it is done, and the answer is lost. `dies`: it is done, and there is no answer any more. */
type Answer = SendResult | 'lost' | 'dies';

/** A platform that recognises a message by its nonce for two minutes, as Discord does. A message's place is its nonce. */
export function recognisingMessenger() {
  const there: string[] = [];
  const answers: Answer[] = [];
  let sends = 0;
  async function send(nonce = 'none'): Promise<SendResult> {
    sends += 1;
    const answer = answers.shift();
    if (typeof answer === 'object') return answer;
    if (!there.includes(nonce)) there.push(nonce);
    if (answer === 'dies') return new Promise<never>(() => {});
    return answer === 'lost' ? UNKNOWN : { ok: true, place: nonce };
  }
  const messenger: Messenger<string> = {
    deduplicatesForMs: 120_000,
    send: (_to, _view, _signal, nonce) => send(nonce),
    reply: (_ref, _view, _signal, nonce) => send(nonce),
    edit: async (place) => ({ ok: true, place }),
    remove: async (place) => ({ ok: true, place }),
  };
  return {
    messenger,
    /** Nonces of the messages that are there. */
    there,
    /** The answers to the next sends. */
    answers,
    get sends() {
      return sends;
    },
  };
}
