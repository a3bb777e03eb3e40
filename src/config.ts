import { z } from 'zod';
import { CHAT_SETTINGS, type ChatConfig, chatProblem, toChatConfig } from './config/chat-settings.ts';
import { MARKET_SETTINGS, type MarketConfig, toMarketConfig } from './config/market-settings.ts';
import { ROLES, type Role } from './config/roles.ts';
import {
  address,
  databaseUrl,
  marketSource,
  number,
  replayShift,
  roles,
  type SourceSetting,
  trustProxy,
  whole,
} from './config/setting-types.ts';
import type { EpochMs } from './core/trade.ts';
import { replayProblem } from './infra/sources/replay-options.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Every setting: what it means, its default, and what is right for it. The README's table is made from this. */
const environment = z.object({
  PORT: whole(0, 65_535).default(8080).describe('Port of the HTTP server; 0 takes a free one.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all.'),
  DATABASE_URL: databaseUrl()
    .default('sqlite:./data/tipoff.db')
    .describe('`sqlite:FILE` (one process) or `mongodb://…` (any number of processes).'),
  MARKET_SOURCE: marketSource()
    .default({ kind: 'polymarket' })
    .describe(
      'Where trades come from: `polymarket` (live), `replay:FILE` (a finished tape), `tail:FILE` (a growing one) or `none`.',
    ),
  ...MARKET_SETTINGS,
  REPLAY_SPEED: number(0, 1_000_000)
    .default(0)
    .describe('How many times its own pace a tape plays; 0 is as fast as it goes.'),
  REPLAY_SHIFT: replayShift()
    .default(null)
    .describe('`now` moves a tape so that its last row is now; a moment (ISO) becomes the start of the run.'),
  ROLES: roles()
    .default([...ROLES])
    .describe('What this process does: `all`, or some of `ingest,api,deliver,bots,jobs`.'),
  FREE_DELAY_SECONDS: number(0, 86_400)
    .default(300)
    .describe('How old an alert is before free keys, and callers without a key, see it in anything.'),
  DETECTION_RULES: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('A JSON file with the detection rules to change; the others keep their defaults.'),
  SNAPSHOT_SECONDS: number(0.1, 3_600)
    .default(60)
    .describe('How often the detector’s state is saved; a restart judges again what came after.'),
  PUBLIC_REQUESTS_PER_MINUTE: whole(0, 1_000_000)
    .default(60)
    .describe('Requests a minute from one address, without a key, to what needs none; 0 is no limit.'),
  SECRET_KEY: z
    .string()
    .min(32, 'use 32 characters or more')
    .nullable()
    .default(null)
    .describe(
      'What webhook secrets are derived from, 32 characters or more (`openssl rand -base64 32`); to change it changes them all. Without it one is made and kept in the database.',
    ),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'], { error: ({ input }) => `expected true or false, got "${input}"` })
    .default('false')
    .describe(
      'For development: `true` lets webhooks go to addresses that are not public (still https only).',
    ),
  ...CHAT_SETTINGS,
  PUBLIC_URL: address(/^https?:$/, 'https://api.example.com')
    .nullable()
    .default(null)
    .describe('Where people reach this service, for the addresses shown in chat.'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'use 16 characters or more')
    .nullable()
    .default(null)
    .describe('Bearer token for `/metrics` from elsewhere; without it only loopback is answered.'),
  TRUST_PROXY: trustProxy()
    .default(false)
    .describe(
      'Proxies whose `X-Forwarded-For` is believed: `false`, `true`, a number of hops, or addresses.',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: ({ input }) => `expected ${LOG_LEVELS.join(', ')}, got "${input}"` })
    .default('info')
    .describe('`debug`, `info`, `warn`, `error` or `silent`.'),
});

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string;
  readonly source: SourceSetting;
  readonly market: MarketConfig;
  readonly replaySpeed: number;
  readonly replayShift: 'now' | EpochMs | null;
  readonly roles: readonly Role[];
  readonly freeDelayMs: number;
  readonly rulesFile: string | null;
  readonly snapshotEveryMs: number;
  /** Null is no limit. */
  readonly publicRequestsPerMinute: number | null;
  readonly secretKey: string | null;
  readonly allowPrivateWebhooks: boolean;
  readonly chat: ChatConfig;
  /** Without a slash at its end; null when nobody said. */
  readonly publicUrl: string | null;
  readonly metricsToken: string | null;
  readonly trustProxy: boolean | number | string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

export type ConfigResult =
  | { readonly isOk: true; readonly config: Config }
  /** One line a problem: the variable, what is wrong, what would be right. */
  | { readonly isOk: false; readonly problems: readonly string[] };

/** Reads the settings. An empty variable counts as not set. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): ConfigResult {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    return {
      isOk: false,
      problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    };
  }
  const values = parsed.data;
  const problem = replayProblem(values.REPLAY_SPEED, values.REPLAY_SHIFT);
  if (problem !== null) return { isOk: false, problems: [`REPLAY_SPEED, REPLAY_SHIFT: ${problem}`] };
  const chat = chatProblem(values);
  if (chat !== null) return { isOk: false, problems: [chat] };
  return { isOk: true, config: toConfig(values) };
}

/** One row a setting, as the README shows it. */
export function configReference(): readonly { name: string; default: string; meaning: string }[] {
  const defaults = environment.parse({});
  return Object.entries(environment.shape).map(([name, schema]) => ({
    name,
    default: shown(name, defaults[name as keyof typeof defaults]),
    meaning: schema.description ?? '',
  }));
}

function toConfig(values: z.infer<typeof environment>): Config {
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    source: values.MARKET_SOURCE,
    market: toMarketConfig(values),
    replaySpeed: values.REPLAY_SPEED,
    replayShift: values.REPLAY_SHIFT,
    roles: values.ROLES,
    freeDelayMs: values.FREE_DELAY_SECONDS * 1_000,
    rulesFile: values.DETECTION_RULES,
    snapshotEveryMs: values.SNAPSHOT_SECONDS * 1_000,
    publicRequestsPerMinute: values.PUBLIC_REQUESTS_PER_MINUTE || null,
    secretKey: values.SECRET_KEY,
    allowPrivateWebhooks: values.WEBHOOK_ALLOW_PRIVATE === 'true',
    chat: toChatConfig(values),
    publicUrl: values.PUBLIC_URL,
    metricsToken: values.METRICS_TOKEN,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
  };
}

function shown(name: string, value: unknown): string {
  if (name === 'MARKET_SOURCE') return '`polymarket`';
  if (name === 'ROLES') return '`all`';
  if (Array.isArray(value) && value.length === 0) return 'not set';
  return value === null ? 'not set' : `\`${String(value)}\``;
}
