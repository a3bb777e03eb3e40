import { describe, expect, test } from 'vitest';
import type { BotStatus } from '../../bots/shared/chat-bot.ts';
import type { Ingest } from '../../src/core/ingest/ingest.ts';
import type { Heartbeat } from '../../src/core/operations/heartbeat.ts';
import type { Source } from '../../src/core/trades/source/source.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import type { Bots } from '../../src/wiring/bots.ts';
import { readinessOf } from '../../src/wiring/readiness.ts';
import { createFakeClock } from '../support/clock.ts';
import { START } from '../support/rows.ts';

const RUNNING: BotStatus = { state: 'running', detail: null, missing: [] };
const REFUSED: BotStatus = { state: 'refused', detail: 'getUpdates: 401 Unauthorized', missing: [] };

function fixtureOf() {
  const database = { kind: 'sqlite', ping: async () => {} } as unknown as AppContext['database'];
  return { database, clock: createFakeClock(START) };
}

function readinessWith(statuses: Readonly<Record<string, BotStatus>>, isOnlyRole: boolean) {
  const missing = () => Object.values(statuses).flatMap((status) => status.missing);
  const bots: Pick<Bots, 'isOnlyRole' | 'missing' | 'profileUrls' | 'status'> = {
    isOnlyRole,
    missing,
    profileUrls: () => ({ discord: 'https://discord.com/users/1' }),
    status: () => statuses,
  };
  const coverage = { isLive: false, view: () => null };
  return readinessOf(fixtureOf(), { ingest: null, deliver: null, bots, feedHealth: coverage, doctor: null });
}

test('a database that is away is not ready, with the reason for callers on this machine', async () => {
  const { clock } = fixtureOf();
  const ping = () => Promise.reject(new Error('the file was deleted'));
  const database = { kind: 'sqlite', ping } as unknown as AppContext['database'];
  const feedHealth = { isLive: false, view: () => null };
  const parts = { ingest: null, deliver: null, bots: null, feedHealth, doctor: null };

  expect(await readinessOf({ database, clock }, parts)).toMatchObject({
    ready: false,
    checks: { database: { ready: false, details: { reason: 'the file was deleted' } } },
  });
});

describe('the source of a process without one', () => {
  const beatOf = (owner: string, state: string, more: Partial<Heartbeat> = {}): Heartbeat => {
    const checks = { source: { ready: true, name: 'polymarket', state } };
    return { owner, roles: ['ingest'], at: START - 4_000, checks, ...more };
  };
  const sourceOf = async (...beats: Heartbeat[]) => {
    const parts = { ingest: null, deliver: null, bots: null, doctor: null };
    const feedHealth = { isLive: false, view: () => null };
    const heartbeats = async () => beats;
    const { ready, checks } = await readinessOf(fixtureOf(), { ...parts, feedHealth, heartbeats });
    expect(ready).toBe(true);
    return checks['source'];
  };

  test('is that of the process that has it, by its heartbeat; one that stands by is the last choice', async () => {
    const found = { ready: true, state: 'elsewhere', name: 'polymarket', heartbeat_seconds: 4 };
    expect(await sourceOf(beatOf('host/1', 'standby'), beatOf('host/2', 'playing'))).toEqual({
      ...found,
      process: 'host/2',
      process_state: 'playing',
    });
    expect(await sourceOf(beatOf('host/1', 'standby'))).toMatchObject({ ...found, process: 'host/1' });
  });

  test('is none where no process that lives has one', async () => {
    const none = { ready: true, state: 'none' };
    expect(await sourceOf()).toEqual(none);
    expect(await sourceOf(beatOf('host/1', 'none'), beatOf('host/2', 'elsewhere'))).toEqual(none);
    expect(await sourceOf(beatOf('host/1', 'playing', { at: START - 60_000 }))).toEqual(none);
    expect(await sourceOf(beatOf('host/1', 'playing', { roles: ['api'] }))).toEqual(none);
  });
});

describe('readiness while the token of a bot is refused', () => {
  test('the check of the bots fails and names the platform and where people find a bot; a process with other roles stays ready', async () => {
    const { ready, checks } = await readinessWith({ telegram: REFUSED, discord: RUNNING }, false);
    expect(ready).toBe(true);
    expect(checks['bots']).toEqual({
      ready: false,
      telegram: { state: 'refused', detail: 'getUpdates: 401 Unauthorized' },
      discord: { state: 'running', detail: null, url: 'https://discord.com/users/1' },
    });
  });

  test('a process that only has the bots is not ready', async () => {
    expect(await readinessWith({ telegram: REFUSED, discord: RUNNING }, true)).toMatchObject({
      ready: false,
      checks: { bots: { ready: false } },
    });
  });

  test.each(['starting', 'running', 'failing', 'stopped'] as const)(
    'a bot that is %s fails nothing',
    async (state) => {
      const status = { state, detail: null, missing: [] };
      expect(await readinessWith({ telegram: status }, true)).toMatchObject({
        ready: true,
        checks: { bots: { ready: true, telegram: { state, detail: null } } },
      });
    },
  );

  test('a process that stands by is ready', async () => {
    expect(await readinessWith({}, true)).toMatchObject({ ready: true, checks: { bots: { ready: true } } });
  });
});

test('what a bot lacks is named and fails nothing; the remedies are details', async () => {
  const missing = [{ name: 'telegram_channel', remedy: 'correct the id -100123' }];
  const { ready, checks } = await readinessWith({ telegram: { ...RUNNING, missing } }, true);
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
  const position = { state: 'playing', progress: null, historyProgress: null, waiting } as const;
  const source = { name: 'polymarket', mapping: null, status: () => position } as unknown as Source;
  const ingest: Pick<Ingest, 'status'> = {
    status: () => ({ state: 'running', source, detector: null, hasEnded: false }),
  };
  const { ready, checks } = await readinessOf(fixtureOf(), {
    ingest,
    deliver: null,
    bots: null,
    doctor: null,
    feedHealth: { isLive: false, view: () => null },
  });
  expect(ready).toBe(true);
  expect(checks['waiting']).toEqual({
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
  const node = { isAtHead: true, headAt: START - 2_500, waitingForToken: 3, removed: 1 };
  const oldestUnknownToken = { tokenId: '77', since: START - 61_000 };
  const sources = {
    ...{ leader: 'node', held: 4, stream: { isOpen: true, completeness: 0.99712 } },
    node: { ...node, oldestUnknownToken },
  } as const;
  const position = { state: 'playing', progress: null, historyProgress: null, sources } as const;
  const source = { name: 'polymarket', mapping: null, status: () => position } as unknown as Source;
  const { ready, checks } = await readinessOf(fixtureOf(), {
    ingest: { status: () => ({ state: 'running', source, detector: null, hasEnded: false }) },
    deliver: null,
    bots: null,
    feedHealth: { isLive: false, view: () => null },
    doctor: null,
  });
  expect(ready).toBe(true);
  expect(checks['trade_sources']).toEqual({
    ready: true,
    leader: 'node',
    held: 4,
    stream: { open: true, completeness: 0.997 },
    node: {
      at_head: true,
      head_age_seconds: 2,
      waiting_for_token: 3,
      oldest_unknown_token: '77',
      oldest_unknown_token_seconds: 61,
      removed: 1,
    },
  });
});
