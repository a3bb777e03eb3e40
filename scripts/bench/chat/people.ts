import { privateTap, privateText } from '../../../test/support/chat/telegram-person.ts';
import type { StandInMessage, TelegramStandIn } from '../../../test/support/chat/telegram-wire.ts';

const KEY = /sk_live_[\w-]{43}/;

/** Taps from `/start` to a key without delay. Returns the duration and the key. */
export async function askForKey(
  telegram: TelegramStandIn,
  id: number,
): Promise<{ readonly ms: number; readonly key: string }> {
  const person = { id, username: `person${id}` };
  const startedAt = performance.now();
  let newest = await after(telegram, id, privateText(person, '/start'));
  for (const label of ['Get a key', 'Pro key, 30 days free']) {
    const data = newest.buttons.find(({ text }) => text === label)?.callback_data;
    if (data === undefined) throw new Error(`no button "${label}" below: ${newest.text}`);
    newest = await after(telegram, id, privateTap(person, newest, data));
  }
  const key = KEY.exec(newest.text)?.[0];
  if (key === undefined) throw new Error(`no key in: ${newest.text}`);
  return { ms: performance.now() - startedAt, key };
}

async function after(telegram: TelegramStandIn, id: number, update: object): Promise<StandInMessage> {
  const before = Math.max(0, ...telegram.messages(id).map(({ touched }) => touched));
  telegram.push(update);
  return telegram.shown(id, before);
}
