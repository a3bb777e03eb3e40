import { vi } from 'vitest';
import { createTelegramPerson } from './telegram-driver.ts';
import type { TelegramStandIn } from './telegram-stand-in.ts';

export function createPolledPerson(telegram: TelegramStandIn, id: number) {
  const user = { id, username: `person${id}` };
  const { type, tap } = createTelegramPerson(telegram, user);
  const find = (text: string) => () => {
    const found = telegram.messages(id).find((message) => message.text.includes(text));
    if (found === undefined) throw new Error(`no message with "${text}"`);
    return found.text;
  };
  return {
    ...{ id, command: type, tap },
    /** Resolves with the first message, of those there are and those to come, that holds the text. */
    reads: (text: string) => vi.waitFor(find(text)),
  };
}
