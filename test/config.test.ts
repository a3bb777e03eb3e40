import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatGaps } from '../src/config/chat-settings.ts';
import { configReference, parseConfig } from '../src/config.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  const parsed = parseConfig(env);
  return parsed.isOk ? [] : parsed.problems;
}

function configOf(env: Record<string, string>) {
  const parsed = parseConfig(env);
  if (!parsed.isOk) throw new Error(parsed.problems.join('\n'));
  return parsed.config;
}

describe('settings', () => {
  test.each([{}, { PORT: '', MARKET_SOURCE: '' }])(
    'nothing set, or empty, is a service on port 8080 with SQLite, the live market and every role',
    (env) => {
      expect(configOf(env)).toMatchObject({
        server: { port: 8080, host: '127.0.0.1' },
        databaseUrl: 'sqlite:./data/tipoff.db',
        source: { kind: 'polymarket' },
        roles: 'all',
        freeDelayMs: 300_000,
        logLevel: 'info',
      });
    },
  );

  test.each([
    ['MARKET_SOURCE', 'replay:a/b.jsonl.gz', { source: { kind: 'replay', file: 'a/b.jsonl.gz' } }],
    ['MARKET_SOURCE', 'tail:C:\\feed.jsonl', { source: { kind: 'tail', file: 'C:\\feed.jsonl' } }],
    ['ROLES', 'api', { roles: 'api' }],
    ['WEBHOOK_ALLOW_PRIVATE', 'true', { webhooks: { allowPrivate: true } }],
    ['ROLES', 'all', { roles: 'all' }],
    ['FREE_DELAY_SECONDS', '0', { freeDelayMs: 0 }],
    ['PUBLIC_REQUESTS_PER_MINUTE', '0', { server: { publicRequestsPerMinute: null } }],
    ['JOURNAL_HOURS', '2', { market: { journalMs: 7_200_000 } }],
    ['ADMIN_IDS', 'telegram:5', { chat: { adminIds: [{ platform: 'telegram', id: '5' }] } }],
    ['TRUST_PROXY', '2', { server: { trustProxy: 2 } }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { server: { trustProxy: '10.0.0.0/8,::1' } }],
    ['CONTACT', 'ann@example.com', { server: { contact: 'mailto:ann@example.com' } }],
    ['CONTACT', 'https://example.com/us', { server: { contact: 'https://example.com/us' } }],
    ['REPLAY_SHIFT', 'now', { replay: { shift: 'now' } }],
    ['POLYGON_RPC_URL', '', { market: { rpcUrl: 'wss://polygon-bor-rpc.publicnode.com' } }],
    ['POLYGON_RPC_URL', 'off', { market: { rpcUrl: null } }],
    ['POLYGON_RPC_URL', 'https://node.test/key/', { market: { rpcUrl: 'https://node.test/key' } }],
  ])('%s=%s', (name, value, expected) => {
    expect(configOf({ [name]: value })).toMatchObject(expected);
  });

  test('a moment of the tape goes with a speed', () => {
    const env = { REPLAY_SHIFT: '2022-11-07T15:00:00Z', REPLAY_SPEED: '60' };
    expect(configOf(env)).toMatchObject({ replay: { shift: Date.UTC(2022, 10, 7, 15), speed: 60 } });
    expect(problemsOf({ ...env, REPLAY_SPEED: '0' })).toHaveLength(1);
    const headStart = { REPLAY_HEAD_START_SECONDS: '300' };
    expect(configOf({ ...env, ...headStart })).toMatchObject({ replay: { headStartMs: 300_000 } });
    expect(problemsOf(headStart)).toHaveLength(1);
    expect(problemsOf({ REPLAY_SHIFT: 'now', REPLAY_SPEED: '60' })).toHaveLength(1);
  });

  test('every problem is named by its variable, with what would be right', () => {
    const wrong = {
      PORT: '80800',
      CONTACT: 'javascript:alert(1)',
      DATABASE_URL: 'postgres://me:hunter2@db',
      MARKET_SOURCE: 'replay',
      REPLAY_SPEED: 'fast',
      REPLAY_SHIFT: '2022-11-07',
      ROLES: 'api,cook',
      FREE_DELAY_SECONDS: '-1',
      LOG_LEVEL: 'loud',
      METRICS_TOKEN: 'short',
      TRUST_PROXY: 'everyone',
      CHANNEL_POSTS_PER_DAY: '1001',
    };
    const problems = problemsOf(wrong);
    const named = problems.map((problem) => problem.split(':')[0]);
    expect(named.toSorted()).toEqual(Object.keys(wrong).toSorted());
    expect(problems.join('\n')).toContain(
      'expected polymarket, replay:FILE, tail:FILE or none, got "replay"',
    );
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  test('whatever is set, reading it never throws', () => {
    const names = configReference().map(({ name }) => name);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (env) => {
        expect(() => parseConfig(env)).not.toThrow();
      }),
    );
  });
});

describe('variables that are no settings', () => {
  test.each([
    ['TELEGRAM_BOT_TOKE', 'TELEGRAM_BOT_TOKEN'],
    ['CHANNEL_MIN_SCORE', 'CHANNEL_MIN_SIGNAL'],
    ['SECRET_KEY_OLD', 'SECRET_KEY'],
    ['POLYMARKET_GAMA_API', 'POLYMARKET_GAMMA_URL'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['TELEGRM_BOT_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['JOURNAL_HOUR', 'JOURNAL_HOURS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('%s is named, with %s as the nearest one, and ends no start', (name, nearest) => {
    expect(parseConfig({ [name]: '1' })).toMatchObject({
      isOk: true,
      warnings: [`${name} is not a setting and has no effect; the nearest is ${nearest}`],
    });
  });

  test('those of other programs, and empty ones, are not', () => {
    const others = [
      'PATH',
      'HOSTNAME',
      'PWD',
      'NODE_OPTIONS',
      'LOG_DIR',
      'METRICS',
      'PORTS',
      'POSTGRES_URL',
      'FTP_PROXY',
    ];
    const env = { ...Object.fromEntries(others.map((name) => [name, 'x'])), CHANNEL_MIN_SCORE: '' };
    expect(parseConfig(env)).toMatchObject({ warnings: [] });
  });
});

describe('settings that depend on another one', () => {
  test.each([
    [
      'mongodb://tipoff@db:27017/tipoff?authSource=admin',
      'mongodb://tipoff:a%40b%2Fc@db:27017/tipoff?authSource=admin',
    ],
    ['mongodb://tipoff@a:1,b:2/x', 'mongodb://tipoff:a%40b%2Fc@a:1,b:2/x'],
    ['mongodb+srv://tipoff@cluster.example/x', 'mongodb+srv://tipoff:a%40b%2Fc@cluster.example/x'],
  ])('DATABASE_PASSWORD is put into %s, escaped', (DATABASE_URL, expected) => {
    expect(configOf({ DATABASE_URL, DATABASE_PASSWORD: 'a@b/c' }).databaseUrl).toBe(expected);
  });

  test.each(['sqlite:./x.db', 'mongodb://db/tipoff', 'mongodb://me:hunter2@db/tipoff'])(
    'DATABASE_PASSWORD is refused with %s',
    (DATABASE_URL) => {
      const problems = problemsOf({ DATABASE_URL, DATABASE_PASSWORD: 'a@b/c' });
      expect(problems).toEqual([
        expect.stringMatching(/^DATABASE_PASSWORD: expected a DATABASE_URL with a user/),
      ]);
      expect(problems.join()).not.toMatch(/hunter2|a@b/);
    },
  );
});

test.each(['https://api.example.com', 'http://8.8.8.8:8080'])(
  'webhooks to private addresses are refused for a service at %s',
  (PUBLIC_URL) => {
    const problems = problemsOf({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' });
    expect(problems).toEqual([expect.stringMatching(/^WEBHOOK_ALLOW_PRIVATE: for development only/)]);
    expect(problemsOf({ PUBLIC_URL })).toEqual([]);
    for (const own of ['http://127.0.0.1:8080', 'http://10.0.0.7', 'https://tipoff.internal'])
      expect(problemsOf({ PUBLIC_URL: own, WEBHOOK_ALLOW_PRIVATE: 'true' })).toEqual([]);
  },
);

describe('settings of the chat', () => {
  test('two bots with one token are refused: they would take each other’s messages', () => {
    const one = '123456:AAE-abc';
    const problems = problemsOf({ TELEGRAM_BOT_TOKEN: one, TELEGRAM_ADMIN_BOT_TOKEN: one });
    expect(problems).toEqual([expect.stringMatching(/^TELEGRAM_ADMIN_BOT_TOKEN: expected a different bot/)]);
    expect(problems.join()).not.toContain('AAE');
    expect(problemsOf({ TELEGRAM_BOT_TOKEN: one, TELEGRAM_ADMIN_BOT_TOKEN: '654321:AAE-abc' })).toEqual([]);
  });

  test.each([
    [{}, []],
    [{ TELEGRAM_BOT_TOKEN: '123456:AAE-abc', TELEGRAM_CHANNEL_ID: '@alerts', ADMIN_IDS: 'telegram:5' }, []],
    [{ TELEGRAM_CHANNEL_ID: '@alerts' }, ['TELEGRAM_CHANNEL_ID']],
    [{ TELEGRAM_WEBHOOK_URL: 'https://example.com' }, ['TELEGRAM_WEBHOOK_URL']],
    [{ TELEGRAM_ADMIN_BOT_TOKEN: '123456:AAE-abc' }, ['TELEGRAM_ADMIN_BOT_TOKEN']],
    [{ TELEGRAM_ADMIN_BOT_TOKEN: '123456:AAE-abc', ADMIN_IDS: 'telegram:5' }, []],
    [{ DISCORD_GUILD_ID: '900000000000000001' }, ['DISCORD_GUILD_ID']],
  ])('of %o, what does nothing is said: %o', (env, names) => {
    const gaps = chatGaps(configOf(env).chat);
    expect(gaps.map((gap) => /^\w+/.exec(gap)?.[0])).toEqual(names);
  });
});
