import { expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { Feed } from '../../src/core/alerts/ledger/feed.ts';
import type { BlindCause } from '../../src/core/trades/coverage/blind-window.ts';
import type { SourceStatus } from '../../src/core/trades/source/source.ts';
import { startOnScreen } from '../../src/wiring/service-screen.ts';
import { alertOf } from '../support/alerts.ts';
import { configOf } from '../support/config.ts';
import { openKeyFixture } from '../support/key-fixture.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

/** The screen of a service with these settings, whose source is in the state that `source` holds. */
async function openScreen(settings: Readonly<Record<string, string>> = {}) {
  const fixture = await openKeyFixture();
  const { database, clock } = fixture;
  const logger = createRecordingLogger();
  const ledger: Alert[] = [];
  const alerts = { after: async (id: number) => ledger.filter((alert) => alert.id > id) };
  const feed = new Feed({ alerts, logger, retry: async () => {} });
  const ended = Promise.withResolvers<void>();
  onTestFinished(async () => {
    ended.resolve();
    await database.close();
  });
  const source: { state: SourceStatus['state']; failure: BlindCause | null } = {
    state: 'starting',
    failure: null,
  };
  const ingest = { status: () => ({ source: { status: () => source } }) };
  const service = { database, feed, logger, ingest, ended: ended.promise };
  const start = async () => ({ address: 'http://127.0.0.1:8080' });
  return {
    ...fixture,
    source,
    append(alert: Alert) {
      ledger.push(alert);
      feed.announce(alert);
    },
    said: () => logger.lines.map(({ level, message }) => `${level}: ${message}`),
    async show() {
      let text = '';
      const write = (words: string) => {
        text += words;
      };
      await startOnScreen({ ...service, start } as never, { config: configOf(settings), clock, write });
      return text;
    },
  };
}

test('a start says where it listens, what it uses, and how to get the first key, in 80 columns', async () => {
  const { show, issue } = await openScreen();
  const text = await show();
  expect(text.split('\n').slice(1)).toEqual([
    'Page       http://127.0.0.1:8080/',
    'API        http://127.0.0.1:8080/api/v1',
    'Documents  http://127.0.0.1:8080/docs',
    'Database   SQLite, ./data/tipoff.db',
    'Source     Polymarket, live: connecting',
    'Node       polygon-bor-rpc.publicnode.com (POLYGON_RPC_URL=off does without)',
    'Bots       off: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN (docs/bots.md)',
    'First key  node bin/tipoff.js keys issue --tier enterprise --name Operations',
    '',
    '',
  ]);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  await issue();
  expect(await show()).not.toContain('First key');
});

test.each([
  [{ MARKET_SOURCE: 'none' }, 'Source     none: stored alerts only'],
  [{ POLYGON_RPC_URL: 'off' }, 'Node       off: alerts come about six seconds later'],
  [
    { POLYGON_RPC_URL: 'wss://me:pw@node.test/v2/0123456789abcdef' },
    'Node       node.test (POLYGON_RPC_URL=off does without)',
  ],
  [{ MARKET_SOURCE: 'tail:a.jsonl' }, 'Source     a.jsonl, as it grows'],
  [
    { MARKET_SOURCE: 'replay:a.jsonl', REPLAY_SPEED: '60' },
    'Source     replay of a.jsonl, at 60 times its pace',
  ],
  [{ MARKET_SOURCE: 'replay:a.jsonl' }, 'Source     replay of a.jsonl, as fast as possible'],
  [{ TELEGRAM_BOT_TOKEN: '123456:abcdefghij' }, 'Bots       Telegram'],
  [{ ROLES: 'api' }, 'Roles      api'],
])('of %j the screen has: %s', async (settings, line) => {
  const { show } = await openScreen(settings);
  expect((await show()).split('\n')).toContain(line);
});

test.each([
  { MARKET_SOURCE: 'none' },
  { MARKET_SOURCE: 'replay:a.jsonl' },
  { MARKET_SOURCE: 'tail:a.jsonl' },
  { ROLES: 'api' },
])('no node is used, or named, with %j', async (settings) => {
  const { show } = await openScreen(settings);
  expect(await show()).not.toContain('Node ');
});

test.each([
  'mongodb://me:s%40cret@a:1,b:2/tipoff?authSource=admin',
  'mongodb+srv://me:s@cret@a:1,b:2/tipoff',
])('no password of the database is shown: %s', async (url) => {
  const text = await (await openScreen({ DATABASE_URL: url })).show();
  expect(text).toContain('\nDatabase   MongoDB, a:1,b:2/tipoff\n');
  expect(text).not.toMatch(/cret|me:/);
});

test('each alert after the start is one line', async () => {
  const { show, append, said } = await openScreen({ MARKET_SOURCE: 'none' });
  await show();
  append(alertOf({ id: 1, score: 72, type: 'fresh', eventTitle: 'Will it\npass?' }));
  await expect.poll(said).toHaveLength(1);
  expect(said()).toEqual([
    expect.stringMatching(/^info: alert 1, score 72, fresh: Will it pass\? \$[\d,]+ on Yes at /),
  ]);
});

test('a market that is not reached is said once, with what works meanwhile; then that it is reached', async () => {
  const { show, source, clock, said } = await openScreen();
  await show();
  await clock.advance(1_000);
  expect(said()).toEqual([]);
  source.failure = 'dns';
  await clock.advance(5_000);
  const away = `warn: Polymarket cannot be reached; retrying. The host name of the market could not be resolved. Stored alerts, pages, API and bots work meanwhile. node bin/tipoff.js demo needs no network.`;
  expect(said()).toEqual([away]);
  Object.assign(source, { state: 'catching_up', failure: null });
  await clock.advance(5_000);
  expect(said()).toEqual([away, 'info: Connected to Polymarket; reading the trades before the start']);
});
