import { z } from 'zod';
import { CHAT_SETTINGS, chatProblem } from './config/chat-settings.ts';
import { MARKET_SETTINGS } from './config/market-settings.ts';
import { PROXY_SETTINGS, withLowerCaseProxies } from './config/proxy-settings.ts';
import { optional, readSettings, setting, settingsOf, type Values } from './config/setting.ts';
import {
  contact,
  databaseUrl,
  httpAddress,
  marketSource,
  number,
  oneOf,
  replayShift,
  seconds,
  trustProxy,
  whole,
} from './config/setting-types.ts';
import { nearestName } from './core/base/text/nearest-name.ts';
import { hostProblem } from './core/delivery/webhooks/webhook-url.ts';
import { type ReplayPace, replayProblem } from './infra/market/tapes/replay-plan.ts';
import { isPublicAddress } from './infra/outgoing/public-address.ts';

/** Every setting, declared once. `Config` is what they are read to; docs and `.env.example` are made from those with a meaning. */
const SETTINGS = {
  server: {
    port: setting('PORT', whole(0, 65_535), '8080', 'Port of the HTTP server; 0 takes a free one.'),
    host: setting(
      'HOST',
      z.string(),
      '127.0.0.1',
      'Address to listen on, also for Telegram updates; `0.0.0.0` for all interfaces.',
    ),
    publicUrl: optional(
      'PUBLIC_URL',
      httpAddress('https://api.example.com'),
      'Public address of this service, for the links shown in chat; without it users are shown `http://127.0.0.1:PORT`, which leads to their own machine.',
    ),
    contact: optional(
      'CONTACT',
      contact(),
      'Where people reach the operator, for Pro and Enterprise keys, corrections and questions; shown on `/about` and in chat: an e-mail address or an https address.',
    ),
    /** Null: no limit. */
    publicRequestsPerMinute: setting(
      'PUBLIC_REQUESTS_PER_MINUTE',
      whole(0, 1_000_000).transform((count) => count || null),
      '60',
      'Requests per minute that one address may send without a key to the public routes; 0 removes the limit.',
    ),
    maxConnections: setting(
      'MAX_CONNECTIONS',
      whole(1, 1_000_000),
      '10000',
      'Concurrent connections of this process, including those of the stream; further ones get a 503.',
    ),
    trustProxy: setting(
      'TRUST_PROXY',
      trustProxy(),
      'false',
      'Proxies whose `X-Forwarded-For` is trusted: `false`, `true`, a number of hops, or addresses.',
    ),
    metricsToken: optional(
      'METRICS_TOKEN',
      z.string().min(16, 'use 16 characters or more'),
      'Bearer token for `/metrics` and the checks of `/readyz` from other machines; without it only loopback gets them.',
    ),
  },
  databaseUrl: setting(
    'DATABASE_URL',
    databaseUrl(),
    'sqlite:./data/tipoff.db',
    '`sqlite:FILE` (one process) or `mongodb://…` (any number of processes).',
  ),
  databasePassword: optional(
    'DATABASE_PASSWORD',
    z.string(),
    'Password of the user that `DATABASE_URL` names (`mongodb://USER@HOST/NAME`), unescaped.',
  ),
  roles: setting(
    'ROLES',
    oneOf('all', 'api'),
    'all',
    '`all`, or `api`: serves the API and the pages, beside a process that does all (on one MongoDB).',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    '`debug`, `info`, `warn`, `error` or `silent`.',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    oneOf('auto', 'json', 'pretty'),
    'auto',
    '`json`: one JSON object per line. `pretty`: one human-readable line, with local time, and stacks only with `LOG_LEVEL=debug`. `auto`: `pretty` in a terminal, else `json`.',
  ),
  freeDelayMs: setting(
    'FREE_DELAY_SECONDS',
    seconds(0, 86_400),
    '300',
    'Age at which an alert becomes visible to Free keys and to callers without a key.',
  ),
  source: setting(
    'MARKET_SOURCE',
    marketSource(),
    'polymarket',
    'Where trades come from: `polymarket` (live), `replay:FILE` (a finished tape), `tail:FILE` (a growing one) or `none`.',
  ),
  replay: {
    speed: setting(
      'REPLAY_SPEED',
      number(0, 1_000_000),
      '0',
      'How many times faster than recorded a tape plays; 0 is as fast as possible.',
    ),
    shift: optional(
      'REPLAY_SHIFT',
      replayShift(),
      '`now` moves a tape so that its last row is now; an ISO time becomes the start of the run.',
    ),
    headStartMs: setting(
      'REPLAY_HEAD_START_SECONDS',
      seconds(0, 86_400),
      '0',
      'With an ISO time in `REPLAY_SHIFT`: how long ago the run started. What it would have published since then is published at the start.',
    ),
  },
  market: MARKET_SETTINGS,
  proxy: PROXY_SETTINGS,
  detection: {
    rulesFile: optional(
      'DETECTION_RULES',
      z.string(),
      'A JSON file with the detection rules to change; the others keep their defaults.',
    ),
    snapshotEveryMs: setting(
      'SNAPSHOT_SECONDS',
      seconds(0.1, 3_600),
      '60',
      'How often the state of the detector is saved; after a restart, later trades are judged again.',
    ),
  },
  webhooks: {
    secretKey: optional(
      'SECRET_KEY',
      z.string().min(32, 'use 32 characters or more'),
      'Key from which webhook secrets are derived, 32 characters or more (`openssl rand -base64 32`). A change needs `SECRET_KEY_PREVIOUS`. Without it one is generated and kept in the database.',
    ),
    previousSecretKey: optional(
      'SECRET_KEY_PREVIOUS',
      z
        .string()
        .min(32, 'use the former SECRET_KEY, generated or lost')
        .or(z.enum(['generated', 'lost'])),
      'The former `SECRET_KEY` after a change, or `generated`: webhooks are signed with both while it is set. `lost` accepts that all webhook secrets change.',
    ),
    allowPrivate: setting(
      'WEBHOOK_ALLOW_PRIVATE',
      oneOf('true', 'false').transform((text) => text === 'true'),
      'false',
      'For development: `true` allows webhooks to private addresses, and to `http://127.0.0.1`. Refused if `PUBLIC_URL` is on the internet.',
    ),
  },
  chat: CHAT_SETTINGS,
};

export interface Config extends Values<typeof SETTINGS> {
  /** `skips` has no variable: the demo sets it. */
  readonly replay: Values<typeof SETTINGS>['replay'] & Pick<ReplayPace, 'skips'>;
}

export type ConfigResult =
  /** `warnings`: one sentence for each variable that looks like a setting and is none. */
  | { readonly isOk: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly isOk: false; readonly problems: readonly string[] };

export function parseConfig(environment: Readonly<Record<string, string | undefined>>): ConfigResult {
  const { values, problems } = readSettings(SETTINGS, withLowerCaseProxies(environment));
  if (problems.length > 0) return { isOk: false, problems };
  const replay = replayProblem(values.replay);
  if (replay !== null)
    return { isOk: false, problems: [`REPLAY_SPEED, REPLAY_SHIFT, REPLAY_HEAD_START_SECONDS: ${replay}`] };
  const chat = chatProblem(values.chat);
  if (chat !== null) return { isOk: false, problems: [chat] };
  if (values.webhooks.allowPrivate && isOfInternet(values.server.publicUrl))
    return { isOk: false, problems: [PRIVATE_TARGETS] };
  const databaseUrl = withPassword(values.databaseUrl, values.databasePassword);
  if (databaseUrl === null) return { isOk: false, problems: [NO_USER] };
  const names = settingsOf(SETTINGS).map(({ variable }) => variable);
  const warnings = unknownSettings(environment, names);
  return { isOk: true, config: { ...values, databaseUrl }, warnings };
}

const PRIVATE_TARGETS =
  'WEBHOOK_ALLOW_PRIVATE: for development only: with it, users of the service at PUBLIC_URL could reach addresses of its own network';

function isOfInternet(url: string | null): boolean {
  return url !== null && hostProblem(new URL(url).hostname, isPublicAddress) === null;
}

const NO_USER =
  'DATABASE_PASSWORD: expected a DATABASE_URL with a user and without a password, like mongodb://tipoff@HOST/NAME';

/** The address with the password, escaped; null where it has no user, or a password already. */
function withPassword(url: string, password: string | null): string | null {
  if (password === null) return url;
  const [, scheme, user, rest] = /^(mongodb(?:\+srv)?:\/\/)([^:@/]+)@(.+)$/s.exec(url) ?? [];
  return user === undefined ? null : `${scheme}${user}:${encodeURIComponent(password)}@${rest}`;
}

export function configReference(): readonly { name: string; default: string; meaning: string }[] {
  return settingsOf(SETTINGS).flatMap(({ variable, default: fallback, meaning }) =>
    meaning === null ? [] : [{ name: variable, default: fallback ? `\`${fallback}\`` : 'not set', meaning }],
  );
}

/** A shorter name is too near to too much. */
const SHORTEST_TYPO = 6;
const MOST_TYPO_EDITS = 2;
/** A prefix of this service that other programs have as well: `LOG_DIR`. */
const SHARED_PREFIX = 'LOG_';
/** Stands beside `HTTP_PROXY` on many machines. */
const FOREIGN = 'FTP_PROXY';

/**
 * Variables of the environment that look like settings and are none: one sentence each, with the nearest setting. `settings`:
 * the names of all. The first word of a name is a prefix of this service if two or more settings have it; a variable without
 * such a prefix is named only if it differs from a setting by two letters or fewer.
 */
function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || settings.includes(name) || name === FOREIGN) return [];
    const nearest = nearestOf(name, settings);
    return nearest === null ? [] : [`${name} is not a setting and has no effect; the nearest is ${nearest}`];
  });
}

function nearestOf(name: string, settings: readonly string[]): string | null {
  const prefix = name.slice(0, name.indexOf('_') + 1);
  const family =
    prefix === '' || prefix === SHARED_PREFIX ? [] : settings.filter((setting) => setting.startsWith(prefix));
  if (family.length > 1) return nearestName(name, family, name.length);
  const nearest = name.length < SHORTEST_TYPO ? null : nearestName(name, settings, MOST_TYPO_EDITS);
  // `METRICS` begins the name of a setting, and may be of another program.
  return nearest !== null && nearest.length - name.length <= MOST_TYPO_EDITS ? nearest : null;
}
