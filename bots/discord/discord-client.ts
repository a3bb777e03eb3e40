import { Client, type ClientOptions, GatewayIntentBits, Options, Partials } from 'discord.js';

const TIMEOUT_MS = 4_000;
const LONGEST_WAIT_MS = 10_000;
const GUILD_WAIT_MS = 2_000;

/**
 * A client of discord.js with small caches. Its REST calls answer interactions: they do not count towards the bot's limit
 * of 50 calls a second, and may be repeated.
 */
export function createDiscordClient(options: {
  readonly apiRoot: string;
  /** Whether it reads what people write in the server. */
  readonly readsMessages: boolean;
  readonly ws: NonNullable<ClientOptions['ws']>;
}): Client {
  const { Guilds, DirectMessages, GuildMessages, MessageContent } = GatewayIntentBits;
  return new Client({
    intents: [Guilds, DirectMessages, ...(options.readsMessages ? [GuildMessages, MessageContent] : [])],
    partials: [Partials.Channel, Partials.Message],
    allowedMentions: { parse: [] },
    waitGuildTimeout: GUILD_WAIT_MS,
    makeCache: Options.cacheWithLimits({
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
      ThreadManager: 0,
      UserManager: { maxSize: 500, keepOverLimit: (user) => user.id === user.client.user.id },
      GuildMemberManager: { maxSize: 100, keepOverLimit: (member) => member.id === member.client.user.id },
    }),
    ws: options.ws,
    rest: {
      api: options.apiRoot,
      retries: 2,
      timeout: TIMEOUT_MS,
      globalRequestsPerSecond: 1_000,
      rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT_MS,
    },
  });
}
