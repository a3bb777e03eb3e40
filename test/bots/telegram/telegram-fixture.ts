import { expect, onTestFinished } from 'vitest';
import type { ChatBot } from '../../../bots/shared/chat-bot.ts';
import type { AdminConsole, Conversation, Move } from '../../../bots/shared/conversation.ts';
import type { LeakGuard } from '../../../bots/shared/create-leak-guard.ts';
import { plainScreen, type Screen } from '../../../bots/shared/screen.ts';
import type { PaceLimits } from '../../../bots/telegram/pacer.ts';
import { TelegramBot } from '../../../bots/telegram/telegram-bot.ts';
import { TelegramChannel } from '../../../bots/telegram/telegram-channel.ts';
import { TelegramLink, type TelegramTimes } from '../../../bots/telegram/telegram-link.ts';
import { WebhookListener } from '../../../bots/telegram/webhook.ts';
import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';
import type { Logger } from '../../../src/core/base/logger.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { KeyMessageStore } from '../../../src/core/chat/conversation-stores.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { UNLIMITED } from '../../support/chat/telegram-limits.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../../support/chat/telegram-stand-in.ts';
import type { TelegramStandIn } from '../../support/chat/telegram-wire.ts';
import { createFakeClock, type FakeClock } from '../../support/clock.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { START } from '../../support/rows.ts';

export const KEY = `sk_live_${'k'.repeat(43)}`;
export const CHANNEL = -1001234567890;
export const ANNA = { id: 11, username: 'anna' };
export const BEN = { id: 12, username: 'ben' };

/** A conversation that answers as a test says, and remembers what it was asked. */
export interface AnsweringConversation extends Conversation {
  readonly moves: { readonly visitor: Visitor; readonly move: Move }[];
  readonly shownScreens: Screen[];
  answer: (move: Move, visitor: Visitor) => Screen | Promise<Screen>;
}

export function answeringConversation(): AnsweringConversation {
  const conversation: AnsweringConversation = {
    commands: [
      { name: 'start', description: 'The menu', argument: null },
      { name: 'key', description: 'A key', argument: null },
    ],
    moves: [],
    shownScreens: [],
    answer: (move) => page(`heard ${JSON.stringify(move)}`),
    async move(visitor, move) {
      conversation.moves.push({ visitor, move });
      return conversation.answer(move, visitor);
    },
    async shown(screen) {
      conversation.shownScreens.push(screen);
    },
  };
  return conversation;
}

export function page(
  text: string,
  buttons: Screen['buttons'] = [[{ label: 'Next', action: 'next' }]],
): Screen {
  return plainScreen('page', [text], buttons);
}

export function secretPage(): Screen {
  return {
    ...plainScreen('key_shown', [[{ code: KEY }]], [[{ label: 'Done, hide it', action: 'hide' }]]),
    secret: { text: KEY, keyId: 'key_1', request: 'r1' },
  };
}

export interface TelegramFixture {
  readonly telegram: TelegramStandIn;
  readonly link: TelegramLink;
  readonly bot: ChatBot;
  readonly conversation: AnsweringConversation;
  readonly clock: FakeClock;
  readonly channel: TelegramChannel;
  readonly listener: WebhookListener;
  /** Every line that was logged, as JSON. */
  readonly log: string[];
  readonly keyMessages: KeyMessageStore;
}

export interface TelegramFixtureOptions {
  readonly token?: string;
  readonly console?: AdminConsole;
  readonly conversation?: Conversation;
  readonly leakGuard?: LeakGuard;
  readonly isWebhook?: boolean;
  /** Of the webhook. */
  readonly answerMs?: number;
  readonly times?: Partial<TelegramTimes>;
  readonly apiRoot?: string;
  readonly clock?: Clock;
  /** Default: no message has to wait, except after a flood wait. */
  readonly limits?: PaceLimits;
  /** Of the process before. */
  readonly keyMessages?: KeyMessageStore;
  /** The platform of another house: closed with that one. */
  readonly telegram?: TelegramStandIn;
}

/** Waits for what comes over the wire, also on a busy machine. */
export function eventually<Value>(look: () => Value) {
  return expect.poll(look, { timeout: 10_000, interval: 10 });
}

/** A bot that is not started yet, closed when the test ends. */
export async function openTelegramFixture(options: TelegramFixtureOptions = {}): Promise<TelegramFixture> {
  const telegram = options.telegram ?? (await startTelegram());
  const clock = createFakeClock(START);
  const { logger, log } = recordingLogger();
  const link = new TelegramLink({
    token: options.token ?? TELEGRAM_TOKEN,
    apiRoot: options.apiRoot ?? telegram.url,
    times: { pollSeconds: 20, ...options.times },
  });
  const channel = new TelegramChannel(String(CHANNEL), { logger });
  const listener = new WebhookListener({
    port: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger,
    ...(options.answerMs === undefined ? {} : { answerMs: options.answerMs }),
  });
  const conversation = answeringConversation();
  const database = await openDatabase('sqlite::memory:');
  const keyMessages = options.keyMessages ?? database.keyMessages;
  const bot = new TelegramBot({
    keyMessages,
    link,
    setting: 'TELEGRAM_BOT_TOKEN',
    conversation: options.conversation ?? conversation,
    console: options.console ?? null,
    adminIds: ['99'],
    channel,
    leakGuard: options.leakGuard ?? null,
    webhook: options.isWebhook === true ? { url: 'https://bots.example.com', listener } : null,
    clock: options.clock ?? clock,
    logger,
    metrics: noMetrics,
    random: () => 0,
    limits: options.limits ?? UNLIMITED,
  });
  onTestFinished(async () => {
    await bot.close();
    if (options.telegram === undefined) await telegram.close();
    await database.close();
  });
  return { telegram, link, bot, conversation, clock, channel, listener, log, keyMessages };
}

export async function startTelegramFixture(options: TelegramFixtureOptions = {}): Promise<TelegramFixture> {
  const fixture = await openTelegramFixture(options);
  await fixture.bot.start();
  await fixture.telegram.answered(options.isWebhook === true ? 'setWebhook' : 'deleteWebhook');
  return fixture;
}

/** Logs as pino would write it: errors with what they carry. */
export function recordingLogger(): { readonly logger: Logger; readonly log: string[] } {
  const log: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void log.push(JSON.stringify({ level, ...fields, message }, withErrors));
  return {
    log,
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  };
}

function withErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, stack: value.stack, cause: value.cause } : value;
}
