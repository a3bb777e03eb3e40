import { TelegramBot } from '../../../bots/telegram/telegram-bot.ts';
import { TelegramChannel } from '../../../bots/telegram/telegram-channel.ts';
import { TelegramCommunity } from '../../../bots/telegram/telegram-community.ts';
import { TelegramLink } from '../../../bots/telegram/telegram-link.ts';
import { WebhookListener } from '../../../bots/telegram/webhook.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { noMetrics } from '../no-metrics.ts';
import { silentLogger as logger } from '../silent-logger.ts';
import type { OpenDriver, SeenScreen } from './driver.ts';
import { UNLIMITED } from './telegram-limits.ts';
import { privateTap, privateText } from './telegram-person.ts';
import { startTelegram, TELEGRAM_TOKEN } from './telegram-stand-in.ts';
import type { StandInMessage } from './telegram-wire.ts';

const CHANNEL = '-1001234567890';

/** The bot on a simulator of the Bot API, with a webhook: its answer shows that a move is done. */
export const openTelegramDriver: OpenDriver = async (makeConversation) => {
  const telegram = await startTelegram();
  telegram.chat = { invite_link: 'https://t.me/+community' };
  const link = new TelegramLink({ token: TELEGRAM_TOKEN, apiRoot: telegram.url });
  const channel = new TelegramChannel(CHANNEL, { logger });
  const listener = new WebhookListener({
    port: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger,
    answerMs: 10_000,
  });
  const database = await openDatabase('sqlite::memory:');
  const bot = new TelegramBot({
    keyMessages: database.keyMessages,
    link,
    setting: 'TELEGRAM_BOT_TOKEN',
    conversation: makeConversation(new TelegramCommunity({ api: link.api, channel, logger })),
    console: null,
    adminIds: [],
    channel,
    leakGuard: null,
    webhook: { url: 'https://bots.example.com', listener },
    clock: systemClock,
    logger,
    metrics: noMetrics,
    random: Math.random,
    limits: UNLIMITED,
  });
  await bot.start();
  await telegram.answered('setWebhook');
  let people = 0;

  return {
    platform: 'telegram',
    async person(name) {
      people += 1;
      const person = { id: 1_000 + people, username: name };
      telegram.members.set(person.id, { status: 'member' });
      let newest: StandInMessage | undefined;

      async function after(update: object): Promise<SeenScreen> {
        const before = Math.max(0, ...telegram.messages(person.id).map(({ touched }) => touched));
        const status = await telegram.bring(update, listener.port);
        const shown = telegram.messages(person.id).filter(({ touched }) => touched > before);
        newest = shown.at(-1);
        if (status !== 200 || newest === undefined) throw new Error(`nothing was shown (${status})`);
        return {
          text: shown.map(readText).join('\n\n'),
          // Elsewhere a key is selected to be copied.
          buttons: newest.buttons.filter((button) => !('copy_text' in button)).map(({ text }) => text),
        };
      }

      return {
        command: (command, argument = '') => after(privateText(person, `/${command} ${argument}`.trim())),
        async tap(label) {
          const data = newest?.buttons.find(({ text }) => text === label)?.callback_data;
          if (newest === undefined || data === undefined) throw new Error(`no button "${label}"`);
          return after(privateTap(person, newest, data));
        },
        type: (text) => after(privateText(person, text)),
        setMembership(membership) {
          const left = { status: membership === 'member' ? 'member' : 'left' };
          telegram.members.set(person.id, membership === 'error' ? 'error' : left);
        },
      };
    },
    async close() {
      await bot.close();
      await telegram.close();
      await database.close();
    },
  };
};

/** As a person reads it who looks at where links lead. */
function readText({ text, links }: StandInMessage): string {
  return links.reduceRight((read, { offset, length, url }) => {
    const end = offset + length;
    return read.slice(offset, end) === url ? read : `${read.slice(0, end)} (${url})${read.slice(end)}`;
  }, text);
}
