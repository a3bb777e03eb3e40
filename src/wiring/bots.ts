import type { MissingItem } from '../../bots/shared/bot-setup.ts';
import type { BotStatus, ChatBot, ConnectionStatus } from '../../bots/shared/chat-bot.ts';
import { chatGaps } from '../config/chat-settings.ts';
import { PLATFORM_LABELS } from '../core/accounts/customers/customer.ts';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { repeat, untilAborted } from '../core/base/async/repeat.ts';
import { DAY_MS } from '../core/base/time/duration.ts';
import { type AlarmReading, AlarmWatch } from '../core/chat/alarms/alarm-watch.ts';
import {
  blindSentence,
  UNKNOWN_READ,
  unknownMessagesAlarm,
  workerAlarms,
} from '../core/chat/alarms/worker-alarms.ts';
import type { BotName, Channel, NewChatMessage } from '../core/chat/chat-message.ts';
import { CoverageReport } from '../core/trades/coverage/coverage-report.ts';
import type { AppContext } from './app-context.ts';
import { openChat } from './open-chat.ts';
import { hasBots, operatorsOf } from './platforms.ts';
import { missingPublicUrl } from './public-url.ts';

const RETRY_MS = 1_000;

export function wireBots(context: AppContext): Bots {
  const { config, logger } = context;
  for (const gap of chatGaps(config.chat)) logger.warn({}, gap);
  if (!hasBots(config.chat))
    logger.info({}, 'bots are off: neither TELEGRAM_BOT_TOKEN nor DISCORD_TOKEN is set');
  return new Bots(context);
}

/** The chat bots and what they send, of the process with the lease: a token has one poller. */
export class Bots {
  readonly #context: AppContext;
  readonly #failures: FailureLog;
  #bots: Readonly<Record<string, ChatBot>> = {};
  /** Null when `PUBLIC_URL` is set, and before `run`. */
  #publicUrl: MissingItem | null = null;

  constructor(context: AppContext) {
    const { logger, metrics } = context;
    this.#context = context;
    const asError = { warn: (fields: object, message: string) => logger.error(fields, message) };
    this.#failures = new FailureLog(asError, 'bots failed; retrying every second');
    metrics.watchBots({
      areRunning: () => this.#each(({ state }) => state === 'running'),
      missing: () => this.#each(({ missing }) => missing.length),
    });
  }

  /** False: there is no bot, and nothing to tell of one. */
  get isConfigured(): boolean {
    return hasBots(this.#context.config.chat);
  }

  /** By bot; empty while none run in this process. */
  status(): Readonly<Record<string, BotStatus>> {
    return this.#each((status) => status);
  }

  missing(): readonly MissingItem[] {
    const statuses = Object.values(this.status());
    const url = this.#publicUrl === null || statuses.length === 0 ? [] : [this.#publicUrl];
    return [...url, ...statuses.flatMap(({ missing }) => missing)];
  }

  /** Runs until the signal aborts. `address`: where this process listens. */
  async run(signal: AbortSignal, address: string): Promise<void> {
    const { config, clock, logger } = this.#context;
    this.#publicUrl = missingPublicUrl(config.server, address);
    if (this.isConfigured && this.#publicUrl !== null) {
      const { name: missing, remedy } = this.#publicUrl;
      logger.warn({ missing, remedy }, 'PUBLIC_URL is not set: users of the bots are shown a local address');
    }
    const attempt = () => this.#work(signal, address);
    await repeat(attempt, { clock, signal, intervalMs: RETRY_MS, failures: this.#failures });
  }

  async #work(signal: AbortSignal, address: string): Promise<void> {
    const chat = await openChat(this.#context, { signal, address });
    this.#bots = chat.bots;
    if (this.isConfigured) this.#context.logger.info({ bots: Object.keys(chat.bots) }, 'bots are on');
    try {
      await chat.start();
      this.#failures.succeeded();
      // Not awaited: an outbox that does not answer must not delay the shutdown.
      if (this.isConfigured) void wireAlarms(this.#context, () => this.status()).run(signal);
      await untilAborted(signal);
    } finally {
      this.#bots = {};
      await chat.close();
    }
  }

  #each<Value>(read: (status: BotStatus) => Value): Record<string, Value> {
    return Object.fromEntries(Object.entries(this.#bots).map(([name, bot]) => [name, read(bot.status())]));
  }
}

/** The alarms whose state is in the database: all but that of the database itself. */
export function wireAlarms(
  { config, database, clock, logger }: AppContext,
  bots: () => Readonly<Record<string, ConnectionStatus>>,
): AlarmWatch {
  const { worker, operatorAlarms, coverage, chat } = database;
  const isWatched = config.source.kind === 'polymarket';
  const report = new CoverageReport({ store: coverage, clock, isWatched });
  return new AlarmWatch({
    readings: async () => [
      await feedReading(report),
      ...workerAlarms(await worker.get(), clock.now()),
      unknownMessagesAlarm(await chat.unknown(clock.now() - DAY_MS, UNKNOWN_READ)),
      reachReading(Object.values(bots())),
      ...Object.entries(bots()).flatMap(([name, status]) => tokenReading(name as BotName, status)),
    ],
    alarms: operatorAlarms,
    operators: operatorsOf(config.chat),
    report: (messages) => chat.add(messages.filter(canArrive)),
    clock,
    logger,
  });
}

const BOTS: Readonly<Record<BotName, { readonly platform: Channel; readonly setting: string }>> = {
  telegram: { platform: 'telegram', setting: 'TELEGRAM_BOT_TOKEN' },
  telegram_admin: { platform: 'telegram', setting: 'TELEGRAM_ADMIN_BOT_TOKEN' },
  discord: { platform: 'discord', setting: 'DISCORD_TOKEN' },
};

/** Left out while the platform does not answer. */
function tokenReading(bot: BotName, { state, detail }: ConnectionStatus): readonly AlarmReading[] {
  const name = `${bot}_token` as const;
  if (state === 'running') return [{ name, sentence: null }];
  if (state !== 'refused') return [];
  const { platform, setting } = BOTS[bot];
  const refusal = `${PLATFORM_LABELS[platform]} refuses its token, ${setting}: ${detail}`;
  return [
    { name, sentence: `${refusal}. It is retried at least every 15 minutes. A new token needs a restart.` },
  ];
}

/** A platform that refuses a token delivers no message about it. */
function canArrive({ recipient, kind, facts }: NewChatMessage): boolean {
  if (kind !== 'operator_alarm') return true;
  const bot = Object.entries(BOTS).find(([name]) => facts.alarm === `${name}_token`);
  return bot === undefined || !recipient.startsWith(`operator:${bot[1].platform}:`);
}

function reachReading(bots: readonly ConnectionStatus[]): AlarmReading {
  const cut = bots.find(({ state }) => state === 'unreachable');
  const remedy =
    'Check TELEGRAM_WEBHOOK_URL and any proxy in front of it; waiting updates are answered afterwards';
  return { name: 'bot_unreachable', sentence: cut === undefined ? null : `${remedy} (${cut.detail}).` };
}

async function feedReading(report: CoverageReport): Promise<AlarmReading> {
  const { state, open } = await report.view();
  return {
    name: 'feed_blind',
    sentence: state === 'blind' ? blindSentence(open?.cause ?? 'unknown') : null,
  };
}
