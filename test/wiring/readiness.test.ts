import { expect, test } from 'vitest';
import type { BotStatus } from '../../bots/shared/chat-bot.ts';
import type { Ingest } from '../../src/core/ingest/ingest.ts';
import type { WorkerReport } from '../../src/core/operations/worker-report.ts';
import type { Source, SourceStatus } from '../../src/core/trades/source/source.ts';
import { diskSpaceOf } from '../../src/infra/database/disk-space.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { reportedFeedOf } from '../../src/wiring/coverage.ts';
import { feedCheck, type ReadinessParts, readinessOf } from '../../src/wiring/readiness.ts';
import { createFakeClock } from '../support/clock.ts';
import { START } from '../support/rows.ts';

const url = 'https://discord.com/users/1';
const RUNNING: BotStatus = { state: 'running', detail: null, missing: [], url: null };
const REFUSED: BotStatus = {
  state: 'refused',
  detail: 'getUpdates: 401 Unauthorized',
  missing: [],
  url: null,
};

function ask(parts: Partial<ReadinessParts>, ping: () => Promise<void> = async () => {}) {
  const database = { kind: 'sqlite', ping } as unknown as AppContext['database'];
  const clock = createFakeClock(START);
  const none = { ingest: null, deliver: null, bots: null };
  const coverage = { isLive: false, view: () => null };
  return { clock, answer: readinessOf({ database, clock }, { ...none, coverage, ...parts }) };
}

function askWithBots(statuses: Readonly<Record<string, BotStatus>>) {
  const bots = {
    isConfigured: true,
    missing: () => Object.values(statuses).flatMap(({ missing }) => missing),
    status: () => statuses,
  };
  return ask({ bots }).answer;
}

/** The checks of a process whose source is at this position; it is ready. */
async function checksOf(position: Partial<SourceStatus>) {
  const status = () => ({ state: 'playing', progress: null, historyProgress: null, ...position });
  const source = { name: 'polymarket', mapping: null, status } as unknown as Source;
  const ingest: Pick<Ingest, 'status'> = {
    status: () => ({ state: 'running', source, detector: null, hasEnded: false }),
  };
  const { ready, checks } = await ask({ ingest }).answer;
  expect(ready).toBe(true);
  return checks;
}

test.each([
  ['paused', true],
  ['clock_set', false],
  ['failing', false],
] as const)('a process whose ingest is %s: ready %s', async (state, ready) => {
  const status = () => ({ state, source: null, detector: null, hasEnded: false });
  expect(await ask({ ingest: { status } }).answer).toMatchObject({
    ready,
    checks: { source: { ready, state } },
  });
});

const never = () => new Promise<never>(() => {});

test('readiness is answered within 1.5 s, whatever does not answer: all is asked at the same time', async () => {
  const pinged = ask({ report: never, diskSpace: never });
  const hanging = ask({ report: never, diskSpace: never }, never);
  await Promise.all([pinged, hanging].map(({ clock }) => clock.advance(1_500)));

  const details = { reason: 'no answer within 1500 ms' };
  expect(await pinged.answer).toEqual({
    ready: true,
    checks: {
      database: { kind: 'sqlite', ready: true },
      source: { ready: true, state: 'unknown', details },
      disk: { ready: true, free_percent: null, details },
    },
  });
  expect(pinged.clock.sleepers).toBe(0);
  expect(await hanging.answer).toMatchObject({ ready: false, checks: { database: { ready: false } } });
});

test.each([
  ['with room is ready', 64_000_000, true, true, undefined],
  ['with little room is ready, and says so', 64_000_000 - 1, true, true, '63 MB are free'],
  ['with room for little more than a write is ready, and says so', 64_000, true, true, '0 MB are free'],
  ['that takes no write is not ready', 64_000 - 1, true, false, '0 MB are free'],
  ['where the service writes nothing decides nothing', 0, false, true, undefined],
])('a disk %s', async (_, freeBytes, isWritten, ready, words) => {
  const { answer } = ask({ diskSpace: async () => ({ freeBytes, freePercent: 0, isWritten }) });
  const warning = words && expect.stringContaining(words);
  expect(await answer).toMatchObject({ ready, checks: { disk: { ready, free_percent: 0 } } });
  expect((await answer).checks['disk']).toEqual({ ready, free_percent: 0, ...(words && { warning }) });
});

test.each([
  ['sqlite:./package.db', true],
  ['sqlite::memory:', false],
  ['mongodb://127.0.0.1/tipoff', false],
])('of %s it is known whether the service writes to the disk', async (url, isWritten) => {
  const space = await diskSpaceOf(url);
  expect(space).toMatchObject({ isWritten });
  expect(space?.freeBytes).toBeGreaterThan(0);
});

test('what cannot be read is unknown and fails nothing, with the reason for callers on this machine', async () => {
  const fails = (reason: string) => () => Promise.reject(new Error(reason));
  const parts = {
    report: fails('no such collection'),
    diskSpace: fails('EACCES: permission denied, statfs'),
  };
  const { ready, checks } = await ask(parts).answer;

  expect(ready).toBe(true);
  expect(checks).toMatchObject({
    source: { ready: true, state: 'unknown', details: { reason: 'no such collection' } },
    disk: { ready: true, free_percent: null, details: { reason: 'EACCES: permission denied, statfs' } },
  });
});

test('a database that is away is not ready, with the reason for callers on this machine', async () => {
  const { answer } = ask({}, () => Promise.reject(new Error('the file was deleted')));

  expect(await answer).toMatchObject({
    ready: false,
    checks: { database: { ready: false, details: { reason: 'the file was deleted' } } },
  });
});

test.each([
  ['is that of the worker, by its report', START - 4_000, { state: 'elsewhere', report_seconds: 4 }],
  ['is gone with a worker that is silent', START - 31_000, { state: 'gone', report_seconds: 31 }],
])('the source of another process than the worker %s', async (_, at, expected) => {
  const checks = { source: { ready: true, name: 'polymarket', state: 'playing' } };
  const report: WorkerReport = { owner: 'host/2', at, address: 'http://localhost', checks };
  const { ready, checks: own } = await ask({ report: async () => report }).answer;
  expect(ready).toBe(true);
  expect(own['source']).toEqual({
    ...{ ready: true, process: 'host/2', name: 'polymarket', process_state: 'playing' },
    ...expected,
  });
});

test('the source of another process than the worker is none where no worker reported', async () => {
  const { checks } = await ask({ report: async () => null }).answer;
  expect(checks['source']).toEqual({ ready: true, state: 'none' });
});

test('a refused token fails the check of the bots, which names the platform and where people find a bot; the process stays ready', async () => {
  const { ready, checks } = await askWithBots({ telegram: REFUSED, discord: { ...RUNNING, url } });
  expect(ready).toBe(true);
  expect(checks['bots']).toEqual({
    ready: false,
    telegram: { state: 'refused', detail: 'getUpdates: 401 Unauthorized' },
    discord: { state: 'running', detail: null, url },
  });
});

test.each<readonly [string, Readonly<Record<string, BotStatus>>, boolean]>([
  ['of which one is refused', { telegram: REFUSED, discord: RUNNING }, false],
  ['that stand by', {}, true],
  ...(['starting', 'running', 'failing', 'stopped'] as const).map(
    (state) => [`of which one is ${state}`, { telegram: { ...RUNNING, state } }, true] as const,
  ),
])('the check of bots %s', async (_, statuses, ready) => {
  expect(await askWithBots(statuses)).toMatchObject({ ready: true, checks: { bots: { ready } } });
});

test('what a bot lacks is named and fails nothing; the remedies are details', async () => {
  const missing = [{ name: 'telegram_channel', remedy: 'correct the id -100123' }];
  const { ready, checks } = await askWithBots({ telegram: { ...RUNNING, missing } });
  expect(ready).toBe(true);
  expect(checks['bots']).toEqual({
    ready: true,
    telegram: { state: 'running', detail: null },
    missing: ['telegram_channel'],
    details: { missing },
  });
});

test('what waits for facts is shown, fails nothing and names no wallet', async () => {
  const oldest = { wallet: '0xa', at: START - 90_000, trades: 3, facts: 'failing' } as const;
  const factsDelayed = { waiting: 5, since: START - 60_000 };
  const undescribed = { markets: 1, oldest: { marketId: '0xm', since: START - 30_000 }, givenUp: 4 };
  const waiting = { trades: 5, wallets: 2, asking: 2, givenUp: 1, oldest, factsDelayed, undescribed };
  expect((await checksOf({ waiting }))['waiting']).toEqual({
    ready: true,
    trades: 5,
    wallets: 2,
    oldest_seconds: 90,
    oldest_facts: 'failing',
    facts_delayed: { waiting: 5, since: '2026-01-01T23:59:00.000Z' },
    asking: 2,
    given_up: 1,
    undescribed_markets: 1,
    undescribed_oldest_seconds: 30,
    undescribed_given_up: 4,
  });
});

test('the sources of trades are shown, with the token that has waited longest', async () => {
  const node = {
    isAtHead: true,
    headAt: START - 2_500,
    waitingForToken: 3,
    removed: 1,
    pausedUntil: START + 600_000,
  };
  const unwatched = {
    ...{ since: START - 60_000, until: START, blocks: 5, usdc: 1_234.5, combos: 0.25, otherContracts: null },
  };
  const oldestUnknownToken = { tokenId: '77', since: START - 61_000 };
  const sources = {
    ...{ leader: 'node' as const, stream: { isOpen: true } },
    node: { ...node, oldestUnknownToken, unwatched },
  } as const;
  const checks = await checksOf({ sources });
  expect(reportedFeedOf(checks).unwatched).toEqual(unwatched);
  expect(checks['trade_sources']).toEqual({
    ready: true,
    leader: 'node',
    stream: { open: true },
    node: {
      at_head: true,
      head_age_seconds: 2,
      waiting_for_token: 3,
      oldest_unknown_token: '77',
      oldest_unknown_token_seconds: 61,
      removed: 1,
      paused_until: '2026-01-02T00:10:00.000Z',
      unwatched: {
        since: '2026-01-01T23:59:00.000Z',
        until: '2026-01-02T00:00:00.000Z',
        blocks: 5,
        usdc: 1_234.5,
        combos_share: 0.25,
        other_contracts_share: null,
      },
    },
  });
});

test.each([
  ['blind, with since, cause and age', 'blind', 'refused'],
  ['unconfirmed by a word of its own', 'unconfirmed', 'unconfirmed'],
] as const)('a live feed is named that is %s; it fails nothing: the archive is served', (_, state, cause) => {
  const open = { id: 'a', startedAt: START, endedAt: null, cause, backfilledAt: null };
  const reason = cause === 'refused' ? cause : null;
  const times = { since: START - 1, confirmedUntil: START, last: null, factsDelayed: null, unwatched: null };
  const since = '2026-01-02T00:00:00.000Z';
  const message = 'The market refused this address (HTTP 403 or 451): is it geo-blocked?';
  const named =
    state === 'blind' ? { blind_since: since, cause, reason, message } : { unconfirmed_since: since };
  const confirmed = { confirmed_until: since, age_seconds: 31 };
  expect(feedCheck({ ...times, state, open, reason }, START + 31_900)).toEqual({
    ...{ ready: true, state, ...confirmed },
    ...named,
  });
  expect(feedCheck(null, START)).toEqual({ ready: true, state: 'unknown' });
});
