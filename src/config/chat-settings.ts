import { z } from 'zod';
import { type AdminIdSetting, address, adminIds, number, snowflake, token, whole } from './setting-types.ts';

/** What concerns the bots and the channels. */
export const CHAT_SETTINGS = {
  TELEGRAM_BOT_TOKEN: token('123456:AbC…')
    .nullable()
    .default(null)
    .describe('Token of the Telegram bot that gives keys; without it there is none.'),
  TELEGRAM_ADMIN_BOT_TOKEN: token('123456:AbC…')
    .nullable()
    .default(null)
    .describe(
      'Token of a Telegram bot for the operator alone; without it the other bot takes the operator’s commands.',
    ),
  TELEGRAM_API_ROOT: address(/^https?:$/, 'https://api.telegram.org')
    .default('https://api.telegram.org')
    .describe('Where Telegram’s Bot API is.'),
  TELEGRAM_CHANNEL_ID: z
    .string()
    .regex(/^(@\w{4,}|-?\d{1,20})$/, 'expected @name or a number like -1001234567890')
    .nullable()
    .default(null)
    .describe('The Telegram channel of the community, `@name` or a number: joined for a key, and posted to.'),
  TELEGRAM_WEBHOOK_URL: address(/^https:$/, 'https://bots.example.com')
    .nullable()
    .default(null)
    .describe('A public https address that leads to `TELEGRAM_WEBHOOK_PORT`; without it Telegram is polled.'),
  TELEGRAM_WEBHOOK_PORT: whole(0, 65_535)
    .default(8081)
    .describe('Where updates of Telegram are taken when it has a webhook.'),
  DISCORD_TOKEN: token('MTA…')
    .nullable()
    .default(null)
    .describe('Token of the Discord bot; without it there is none.'),
  DISCORD_API_ROOT: address(/^https?:$/, 'https://discord.com/api')
    .default('https://discord.com/api')
    .describe('Where Discord’s REST API is.'),
  DISCORD_GUILD_ID: snowflake().describe('The Discord server of the community: joined for a key.'),
  DISCORD_CHANNEL_ID: snowflake().describe('The Discord channel that is posted to.'),
  ADMIN_IDS: adminIds()
    .default([])
    .describe('Who may give the operator’s commands: `telegram:123,discord:456,discord-role:789`.'),
  CHANNEL_MIN_SIGNAL: whole(0, 100)
    .default(60)
    .describe('Alerts from this score upward are posted in channels.'),
  CHANNEL_DELAY_SECONDS: number(0, 86_400)
    .nullable()
    .default(null)
    .describe('How old an alert is before it is posted; as `FREE_DELAY_SECONDS` unless set.'),
  CHANNEL_POSTS_PER_HOUR: whole(1, 1_000)
    .default(20)
    .describe('Alerts a channel gets one by one in an hour; the rest of the hour comes as one list.'),
};

type ChatValues = z.infer<z.ZodObject<typeof CHAT_SETTINGS>>;

/** The chat platforms. What is null is off. */
export interface ChatConfig {
  readonly telegram: {
    readonly token: string | null;
    readonly adminToken: string | null;
    readonly apiRoot: string;
    readonly channelId: string | null;
    /** Null is polling. */
    readonly webhook: { readonly url: string; readonly port: number } | null;
  };
  readonly discord: {
    readonly token: string | null;
    readonly apiRoot: string;
    readonly guildId: string | null;
    readonly channelId: string | null;
  };
  readonly adminIds: readonly AdminIdSetting[];
  readonly channel: {
    readonly minScore: number;
    readonly delayMs: number;
    readonly postsPerHour: number;
  };
}

export function toChatConfig(values: ChatValues & { readonly FREE_DELAY_SECONDS: number }): ChatConfig {
  const { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_PORT: port } = values;
  return {
    telegram: {
      token: values.TELEGRAM_BOT_TOKEN,
      adminToken: values.TELEGRAM_ADMIN_BOT_TOKEN,
      apiRoot: values.TELEGRAM_API_ROOT,
      channelId: values.TELEGRAM_CHANNEL_ID,
      webhook: url === null ? null : { url, port },
    },
    discord: {
      token: values.DISCORD_TOKEN,
      apiRoot: values.DISCORD_API_ROOT,
      guildId: values.DISCORD_GUILD_ID,
      channelId: values.DISCORD_CHANNEL_ID,
    },
    adminIds: values.ADMIN_IDS,
    channel: {
      minScore: values.CHANNEL_MIN_SIGNAL,
      delayMs: (values.CHANNEL_DELAY_SECONDS ?? values.FREE_DELAY_SECONDS) * 1_000,
      postsPerHour: values.CHANNEL_POSTS_PER_HOUR,
    },
  };
}

/** What cannot work together; null when all can. */
export function chatProblem(values: ChatValues): string | null {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_ADMIN_BOT_TOKEN: adminToken } = values;
  if (token === null || botOf(token) !== botOf(adminToken ?? '')) return null;
  return 'TELEGRAM_ADMIN_BOT_TOKEN: expected another bot than that of TELEGRAM_BOT_TOKEN; without it, that one takes the operator’s commands';
}

/** The number before the colon. */
function botOf(token: string): string {
  return token.split(':')[0] ?? '';
}

/** What was set and has no effect, since something else is missing: a sentence each. */
export function chatGaps({ telegram, discord, adminIds }: ChatConfig): readonly string[] {
  const hasTelegram = telegram.token !== null || telegram.adminToken !== null;
  const hasOperator = adminIds.some(({ platform }) => platform === 'telegram');
  const gaps: readonly (readonly [boolean, string])[] = [
    [
      telegram.channelId !== null && telegram.token === null,
      'TELEGRAM_CHANNEL_ID does nothing without TELEGRAM_BOT_TOKEN',
    ],
    [
      telegram.webhook !== null && !hasTelegram,
      'TELEGRAM_WEBHOOK_URL does nothing without TELEGRAM_BOT_TOKEN',
    ],
    [
      telegram.adminToken !== null && !hasOperator,
      'TELEGRAM_ADMIN_BOT_TOKEN: this bot obeys nobody, as ADMIN_IDS names nobody of Telegram',
    ],
    [
      (discord.guildId !== null || discord.channelId !== null) && discord.token === null,
      'DISCORD_GUILD_ID and DISCORD_CHANNEL_ID do nothing without DISCORD_TOKEN',
    ],
  ];
  return gaps.filter(([isSo]) => isSo).map(([, words]) => words);
}
