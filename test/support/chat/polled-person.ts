import { vi } from 'vitest';
import type { SeenScreen } from './driver.ts';
import { shownWhole } from './telegram-driver.ts';
import { privateTap, privateText } from './telegram-person.ts';
import type { StandInMessage, TelegramStandIn } from './telegram-wire.ts';

/** A person whose updates a bot gets by polling. */
export interface PolledPerson {
  readonly id: number;
  command(text: string): Promise<SeenScreen>;
  tap(label: string): Promise<SeenScreen>;
  /** Resolves with the first message, of those there are and those to come, that holds the text. */
  reads(text: string): Promise<string>;
}

const PATIENCE = { timeout: 15_000, interval: 10 };

export function createPolledPerson(telegram: TelegramStandIn, id: number): PolledPerson {
  const person = { id, username: `person${id}` };
  let newest: StandInMessage | undefined;

  async function after(update: object): Promise<SeenScreen> {
    const before = Math.max(0, ...telegram.messages(id).map(({ touched }) => touched));
    telegram.push(update);
    newest = await shownWhole(telegram, id, before);
    return { text: newest.text, buttons: newest.buttons.map(({ text }) => text) };
  }

  return {
    id,
    command: (text) => after(privateText(person, text)),
    tap(label) {
      const data = newest?.buttons.find(({ text }) => text === label)?.callback_data;
      if (newest === undefined || data === undefined) throw new Error(`no button "${label}"`);
      return after(privateTap(person, newest, data));
    },
    reads: (text) =>
      vi.waitFor(() => {
        const found = telegram.messages(id).find((message) => message.text.includes(text));
        if (found === undefined) throw new Error(`no message with "${text}"`);
        return found.text;
      }, PATIENCE),
  };
}
