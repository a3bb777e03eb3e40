import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import emulatorModule from 'telegram-test-api';
import { vi } from 'vitest';

/** What is used of telegram-test-api, an emulator of the Bot API by others. Its own types need a package without a version. */
interface Emulator {
  readonly config: { readonly apiURL: string };
  start(): Promise<void>;
  stop(): Promise<boolean>;
  getClient(token: string, options: object): EmulatorClient;
  getUpdatesHistory(token: string): readonly { readonly messageId: number; readonly message?: BotMessage }[];
}
interface EmulatorClient {
  makeMessage(text: string): object;
  makeCommand(text: string): object;
  makeCallbackQuery(data: string, more: object): object;
  sendMessage(message: object): Promise<unknown>;
  sendCommand(message: object): Promise<unknown>;
  sendCallback(query: object): Promise<unknown>;
}
interface BotMessage {
  readonly chat_id?: number | string;
  readonly text: string;
  readonly reply_markup?: { readonly inline_keyboard: readonly (readonly EmulatedButton[])[] };
}
interface EmulatedButton {
  readonly text: string;
  readonly callback_data?: string;
}

/** The package exports the class in the way of CommonJS, which its types do not say. */
const TelegramServer = emulatorModule as unknown as new (config: {
  readonly host: string;
  readonly port: number;
}) => Emulator;

/** The emulator on a free port of this machine, with a person. */
export async function startEmulatedTelegram(token: string, person: number) {
  const emulator = new TelegramServer({ host: '127.0.0.1', port: await freePort() });
  await emulator.start();
  const client = emulator.getClient(token, { userId: person, chatId: person, userName: 'ann' });
  /** The bot's messages in the chat of the person, as they are now, without markup: the emulator does not parse it. */
  const shown = () =>
    emulator
      .getUpdatesHistory(token)
      .flatMap(({ messageId, message }) =>
        message !== undefined && String(message.chat_id) === String(person)
          ? [{ ...message, id: messageId, text: message.text.replace(/<[^>]+>/g, '') }]
          : [],
      );
  /** Resolves with the message that is new or edited since, and has the text or a button with it. */
  const reads = (since: ReturnType<typeof shown>, text: string) =>
    vi.waitFor(
      () => {
        const known = new Set(since.map((message) => JSON.stringify(message)));
        const found = shown().find((message) => {
          const whole = JSON.stringify(message);
          return !known.has(whole) && (message.text.includes(text) || buttonOf(message, text) !== undefined);
        });
        if (found === undefined) throw new Error(`no new message with "${text}"`);
        return found;
      },
      { timeout: 20_000, interval: 10 },
    );

  return {
    url: emulator.config.apiURL,
    shown,
    /** Resolves with the message that then has the text, new or edited. */
    async writes(text: string, answer: string) {
      const since = shown();
      if (text.startsWith('/')) await client.sendCommand(client.makeCommand(text));
      else await client.sendMessage(client.makeMessage(text));
      return reads(since, answer);
    },
    async taps(label: string, answer: string) {
      const since = shown();
      const message = since.findLast((one) => buttonOf(one, label) !== undefined);
      const data = message === undefined ? undefined : buttonOf(message, label)?.callback_data;
      if (message === undefined || data === undefined) throw new Error(`no button "${label}"`);
      const { id, text, reply_markup } = message;
      const on = { message_id: id, date: 1, text, reply_markup };
      await client.sendCallback(client.makeCallbackQuery(data, { message: on }));
      return reads(since, answer);
    },
    close: () => emulator.stop(),
  };
}

function buttonOf({ reply_markup: markup }: BotMessage, label: string): EmulatedButton | undefined {
  return markup?.inline_keyboard.flat().find(({ text }) => text === label);
}

/** The emulator takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
