import { Agent } from 'node:http';
import { onTestFinished } from 'vitest';
import type { AdminConsole, Conversation } from '../../../bots/shared/conversation.ts';
import type { LeakGuard } from '../../../bots/shared/create-leak-guard.ts';
import type { PaceLimits } from '../../../bots/telegram/pacer.ts';
import { TelegramBot } from '../../../bots/telegram/telegram-bot.ts';
import { TelegramChannel, TelegramCommunity } from '../../../bots/telegram/telegram-community.ts';
import { TelegramLink, type TelegramTimes } from '../../../bots/telegram/telegram-link.ts';
import { WebhookListener } from '../../../bots/telegram/webhook.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { StoredKeyMessages } from '../../../src/core/chat/key-messages.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { createFakeClock } from '../clock.ts';
import { noMetrics } from '../no-metrics.ts';
import { recordingLogger } from '../recording-logger.ts';
import { START } from '../rows.ts';
import { scriptedConversation } from './scripted-conversation.ts';
import { startTelegram, TELEGRAM_TOKEN, type TelegramStandIn } from './telegram-stand-in.ts';

export const CHANNEL = -1001234567890;
export const ANNA = { id: 11, username: 'anna' };
export const BEN = { id: 12, username: 'ben' };
export const OPERATOR = { id: 99, username: 'op' };

const ANY = { most: 1_000, windowMs: 1 };
/** A bot with them sends without a wait, also while its clock stands still. */
export const UNLIMITED: PaceLimits = {
  spacingMs: 0,
  chat: ANY,
  group: ANY,
};

export interface TelegramFixtureOptions {
  readonly console?: AdminConsole;
  readonly conversation?: Conversation;
  readonly leakGuard?: LeakGuard;
  readonly isWebhook?: boolean;
  readonly times?: Partial<TelegramTimes>;
  readonly apiRoot?: string;
  readonly clock?: Clock;
  /** Default: no message has to wait, except after a flood wait. */
  readonly limits?: PaceLimits;
  /** Of the process before. */
  readonly keyMessages?: StoredKeyMessages;
  readonly telegram?: TelegramStandIn;
}

/** A bot that is not started yet, closed when the test ends. */
export async function openTelegramFixture(options: TelegramFixtureOptions = {}) {
  const telegram = options.telegram ?? (await startTelegram());
  const { console = null, leakGuard = null, limits = UNLIMITED } = options;
  const clock = createFakeClock(START);
  const { logger, log } = recordingLogger();
  const link = new TelegramLink({
    token: TELEGRAM_TOKEN,
    apiRoot: options.apiRoot ?? telegram.url,
    agent: new Agent({ keepAlive: true }),
    times: { pollSeconds: 20, ...options.times },
  });
  const channel = new TelegramChannel(String(CHANNEL), { logger });
  const community = new TelegramCommunity({ api: link.api, channel, logger });
  const listener = new WebhookListener({
    ...{ port: 0, host: '127.0.0.1', clock: systemClock, logger },
  });
  const scripted = scriptedConversation();
  const { conversation = scripted } = options;
  const database = await openDatabase('sqlite::memory:');
  const keyMessages = options.keyMessages ?? database.keyMessages;
  const bot = new TelegramBot({
    ...{ keyMessages, link, console, channel, leakGuard, logger, limits },
    setting: 'TELEGRAM_BOT_TOKEN',
    conversation,
    adminIds: [String(OPERATOR.id)],
    webhook: options.isWebhook === true ? { url: 'https://bots.example.com', listener } : null,
    clock: options.clock ?? clock,
    metrics: noMetrics,
  });
  onTestFinished(async () => {
    await bot.close();
    if (options.telegram === undefined) await telegram.close();
    await database.close();
  });
  const parts = { telegram, link, bot, community, clock, channel, listener, log, keyMessages };
  return { ...parts, conversation: scripted };
}

export async function startTelegramFixture(options: TelegramFixtureOptions = {}) {
  const fixture = await openTelegramFixture(options);
  await fixture.bot.start();
  await fixture.telegram.answered(options.isWebhook === true ? 'setWebhook' : 'deleteWebhook');
  return fixture;
}

export function newest(telegram: TelegramStandIn, chat = ANNA.id) {
  const message = telegram.messages(chat).at(-1);
  if (message === undefined) throw new Error('there is no message');
  return message;
}

export const calls = (telegram: TelegramStandIn, method: string) =>
  telegram.calls.filter((call) => call.method === method);
