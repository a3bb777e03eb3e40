import { z } from 'zod';
import { foreignAddress, optional, setting, type Values } from './setting.ts';
import { address, adminIds, httpAddress, seconds, snowflake, token, whole } from './setting-types.ts';

export const CHAT_SETTINGS = {
  telegram: {
    token: optional(
      'TELEGRAM_BOT_TOKEN',
      token('123456:AbC…'),
      'Token of the Telegram bot that issues keys; without it the bot is off.',
    ),
    adminToken: optional(
      'TELEGRAM_ADMIN_BOT_TOKEN',
      token('123456:AbC…'),
      'Token of a Telegram bot for operators only; without it, the other bot accepts the operator commands.',
    ),
    apiRoot: foreignAddress(
      'TELEGRAM_API_ROOT',
      httpAddress('https://api.telegram.org'),
      'https://api.telegram.org',
    ),
    channelId: optional(
      'TELEGRAM_CHANNEL_ID',
      z.string().regex(/^(@\w{4,}|-?\d{1,20})$/, 'expected @name or a number like -1001234567890'),
      'The Telegram channel of the community, `@name` or a number: alerts are posted to it, and users join it to get a key.',
    ),
    webhookUrl: optional(
      'TELEGRAM_WEBHOOK_URL',
      address(/^https:$/, 'https://bots.example.com'),
      'A public https address that leads to `TELEGRAM_WEBHOOK_PORT`; without it Telegram is polled.',
    ),
    webhookPort: setting(
      'TELEGRAM_WEBHOOK_PORT',
      whole(0, 65_535),
      '8081',
      'Port that receives Telegram updates when a webhook is set, on the address `HOST`.',
    ),
  },
  discord: {
    token: optional('DISCORD_TOKEN', token('MTA…'), 'Token of the Discord bot; without it the bot is off.'),
    apiRoot: foreignAddress(
      'DISCORD_API_ROOT',
      httpAddress('https://discord.com/api'),
      'https://discord.com/api',
    ),
    guildId: optional(
      'DISCORD_GUILD_ID',
      snowflake(),
      'The Discord server of the community: users join it to get a key.',
    ),
    channelId: optional('DISCORD_CHANNEL_ID', snowflake(), 'The Discord channel that alerts are posted to.'),
  },
  adminIds: setting(
    'ADMIN_IDS',
    adminIds(),
    '',
    'Who may use the operator commands: `telegram:123,discord:456,discord-role:789`.',
  ),
  channel: {
    minScore: setting(
      'CHANNEL_MIN_SIGNAL',
      whole(0, 100),
      '60',
      'Lowest score of an alert that is posted in channels.',
    ),
    /** Null: the delay of Free keys. */
    delayMs: optional(
      'CHANNEL_DELAY_SECONDS',
      seconds(0, 86_400),
      'Age at which an alert is posted; `FREE_DELAY_SECONDS` unless set.',
    ),
    minUsdc: setting(
      'CHANNEL_MIN_USDC',
      whole(0, 1_000_000_000),
      '1000',
      'Smallest position, in USDC, of an alert that is posted in channels: the order, or all buys of the wallet or the cluster.',
    ),
    postsPerDay: setting(
      'CHANNEL_POSTS_PER_DAY',
      whole(0, 1_000),
      '20',
      'Most alerts that are posted in a channel in 24 hours, the best ones; a quarter of them is reserved for the top tenth of the week. The digest lists the rest.',
    ),
  },
};

export interface ChatConfig extends Values<typeof CHAT_SETTINGS> {}

export function chatProblem({ telegram: { token, adminToken } }: ChatConfig): string | null {
  if (token === null || botOf(token) !== botOf(adminToken ?? '')) return null;
  return 'TELEGRAM_ADMIN_BOT_TOKEN: expected a different bot from that of TELEGRAM_BOT_TOKEN; without it, that one accepts the operator commands';
}

function botOf(token: string): string {
  return token.split(':')[0] ?? '';
}

export function chatGaps({ telegram, discord, adminIds }: ChatConfig): readonly string[] {
  const hasTelegram = telegram.token !== null || telegram.adminToken !== null;
  const hasOperator = adminIds.some(({ platform }) => platform === 'telegram');
  const gaps: readonly (readonly [boolean, string])[] = [
    [
      telegram.channelId !== null && telegram.token === null,
      'TELEGRAM_CHANNEL_ID has no effect without TELEGRAM_BOT_TOKEN',
    ],
    [
      telegram.webhookUrl !== null && !hasTelegram,
      'TELEGRAM_WEBHOOK_URL has no effect without TELEGRAM_BOT_TOKEN',
    ],
    [
      telegram.adminToken !== null && !hasOperator,
      'TELEGRAM_ADMIN_BOT_TOKEN: this bot refuses every command, because ADMIN_IDS has no telegram: id',
    ],
    [
      (discord.guildId !== null || discord.channelId !== null) && discord.token === null,
      'DISCORD_GUILD_ID and DISCORD_CHANNEL_ID have no effect without DISCORD_TOKEN',
    ],
  ];
  return gaps.filter(([isSo]) => isSo).map(([, words]) => words);
}
