import { shownWhole } from '../../../test/support/chat/shown-whole.ts';
import { privateTap, privateText } from '../../../test/support/chat/telegram-person.ts';
import type { StandInMessage, TelegramStandIn } from '../../../test/support/chat/telegram-wire.ts';

const KEY = /sk_live_[\w-]{43}/;

/** Taps from `/start` to a key without delay. Returns the key. */
export async function askForKey(telegram: TelegramStandIn, id: number): Promise<string> {
  const person = { id, username: `person${id}` };
  let newest = await after(telegram, id, privateText(person, '/start'));
  for (const label of ['Get a key', 'Pro key, 30 days free']) {
    const data = newest.buttons.find(({ text }) => text === label)?.callback_data;
    if (data === undefined) throw new Error(`no button "${label}" below: ${newest.text}`);
    newest = await after(telegram, id, privateTap(person, newest, data));
  }
  const key = KEY.exec(newest.text)?.[0];
  if (key === undefined) throw new Error(`no key in: ${newest.text}`);
  return key;
}

async function after(telegram: TelegramStandIn, id: number, update: object): Promise<StandInMessage> {
  const before = Math.max(0, ...telegram.messages(id).map(({ touched }) => touched));
  telegram.push(update);
  return shownWhole(telegram, id, before);
}
