import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { AlertIndex } from '../../../../src/core/alerts/alert-index/alert-index.ts';
import { betOf } from '../../../../src/core/alerts/bet.ts';
import type { Exit } from '../../../../src/core/alerts/exits/exit.ts';
import { Feed } from '../../../../src/core/alerts/ledger/feed.ts';
import { settlementDraft } from '../../../../src/core/alerts/ledger/log-drafts.ts';
import { RecentWindow } from '../../../../src/core/alerts/ledger/recent-window.ts';
import type { LogEntry } from '../../../../src/core/alerts/log/log-entry.ts';
import type { MarketSettlement } from '../../../../src/core/alerts/settlement.ts';
import { alertOf, exitOf, settlementOf } from '../../../support/alerts.ts';
import { sealed } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const DELAY = 300_000;

interface Stored {
  readonly capacity?: number;
  readonly now?: number;
  readonly sold?: readonly Exit[];
}

/** Exits in memory; bets of alerts that are read from the store are as of the alert. */
function exitsOf(sold: readonly Exit[] = []) {
  return {
    bets: async (alerts: readonly Alert[]) => new Map(alerts.map((alert) => [alert.id, betOf(alert)])),
    ofThreads: async (ids: readonly number[]) => sold.filter(({ threadId }) => ids.includes(threadId)),
  };
}

/** The results of a log of settlements, which may be added to. */
function indexOf(entries: readonly LogEntry[] = []) {
  const index = new AlertIndex({
    log: { after: async (seq) => entries.slice(seq) },
    pause: async () => {},
  });
  return { index, refresh: () => index.refresh() };
}

async function windowOver(stored: Alert[], { capacity = 100, now = START, sold }: Stored = {}) {
  const state = { now, reads: 0 };
  const alerts = {
    after: async (id: number) => stored.filter((alert) => alert.id > id),
    latest: async ({ limit, until = Number.POSITIVE_INFINITY }: { limit: number; until?: number }) => {
      state.reads += 1;
      return stored
        .filter(({ createdAt }) => createdAt <= until)
        .toReversed()
        .slice(0, limit);
    },
  };
  const feed = new Feed({ alerts, logger: silentLogger, retry: async () => {} });
  const entries: LogEntry[] = [];
  const { index, refresh } = indexOf(entries);
  const settle = async (given: Partial<MarketSettlement> = {}) => {
    const settlement = settlementOf(given);
    const [entry] = sealed([settlementDraft(settlement, settlement.at)], entries.at(-1));
    entries.push(entry as LogEntry);
    feed.announceSettlement({ ...settlement, log: entry as LogEntry });
    await refresh();
  };
  const window = new RecentWindow({
    alerts,
    index,
    refresh,
    exits: exitsOf(sold),
    feed,
    clock: { now: () => state.now },
    capacity,
    freeDelayMs: DELAY,
    serialise: ({ id, resolution }, { putInUsdc, heldShare }) =>
      JSON.stringify([id, resolution?.won ?? null, putInUsdc, heldShare]),
    encode: (json) => ({ json }),
  });
  await window.open();
  state.reads = 0;
  const bets = async (limit: number, isRealtime = true): Promise<unknown[][]> =>
    JSON.parse((await window.read({ limit, isRealtime })).json);
  const read = async (...query: Parameters<typeof bets>) =>
    (await bets(...query)).map((row) => row.slice(0, 2));
  const ids = async (...query: Parameters<typeof read>) => (await read(...query)).map(([id]) => id);
  return { feed, window, state, settle, bets, read, ids };
}

describe('recent window', () => {
  test('reads from the store until it is open', async () => {
    const alerts = { latest: async () => [alertOf({ id: 7 })], after: async () => [] };
    const window = new RecentWindow({
      ...indexOf(),
      ...{ alerts, exits: exitsOf(), clock: { now: () => START }, capacity: 10, freeDelayMs: DELAY },
      feed: new Feed({ alerts, logger: silentLogger, retry: async () => {} }),
      serialise: ({ id }) => `${id}`,
      encode: (json) => ({ json }),
    });
    expect(await window.read({ limit: 1, isRealtime: true })).toEqual({ json: '[7]' });
  });

  test('gives the newest first, new ones as soon as they are announced, and the same answer until then', async () => {
    const stored = [1, 2, 3].map((id) => alertOf({ id }));
    const { feed, window, ids } = await windowOver(stored);
    expect(await ids(2)).toEqual([3, 2]);
    expect(window.read({ limit: 2, isRealtime: true })).toBe(window.read({ limit: 2, isRealtime: true }));
    stored.push(alertOf({ id: 4 }));
    feed.announce(alertOf({ id: 4 }));
    expect(await ids(2)).toEqual([4, 3]);
  });

  test('alerts younger than the free delay do not exist for a free key, and appear when they are old enough', async () => {
    const stored = [alertOf({ id: 1, createdAt: START }), alertOf({ id: 2, createdAt: START + 10_000 })];
    const { state, ids } = await windowOver(stored, { now: START + DELAY });
    expect(await ids(10, false)).toEqual([1]);
    state.now += 9_999;
    expect(await ids(10, false)).toEqual([1]);
    state.now += 1;
    expect(await ids(10, false)).toEqual([2, 1]);
    expect(await ids(10, true)).toEqual([2, 1]);
  });

  test('holds no more than its capacity: what is older is read from the store', async () => {
    const stored = [1, 2].map((id) => alertOf({ id }));
    const { feed, state, ids } = await windowOver(stored, { capacity: 3, now: START + 10_000 });
    for (const id of [3, 4]) {
      expect([await ids(4), state.reads]).toEqual([stored.map((alert) => alert.id).toReversed(), 0]);
      stored.push(alertOf({ id }));
      feed.announce(alertOf({ id }));
    }
    expect([await ids(3), state.reads]).toEqual([[4, 3, 2], 0]);
    expect([await ids(4), state.reads]).toEqual([[4, 3, 2, 1], 1]);
  });

  test('a settled market changes the answers, also for alerts read from the store after it', async () => {
    const stored = [alertOf({ id: 1 })];
    const { feed, settle, read } = await windowOver(stored);
    expect(await read(5)).toEqual([[1, null]]);
    await settle();
    feed.announce(alertOf({ id: 2 }));
    expect(await read(5)).toEqual([
      [2, true],
      [1, true],
    ]);
  });

  test('a free key sees a result, and the correction of one, at the free delay, and until then what was known before', async () => {
    const { settle, state, read } = await windowOver([alertOf({ id: 1, createdAt: START - DELAY })]);
    await settle({ at: START });
    await settle({ payouts: [0, 1], at: START + 1_000 });
    const seen = async (now: number) => {
      state.now = now;
      return [(await read(5, true))[0]?.[1], (await read(5, false))[0]?.[1]];
    };
    expect(await seen(START + DELAY - 1)).toEqual([false, null]);
    expect(await seen(START + DELAY)).toEqual([false, true]);
    expect(await seen(START + DELAY + 1_000)).toEqual([false, false]);
  });

  test('states the bet of each alert as of the newest alert and exit of its thread that the reader may see', async () => {
    const { details } = alertOf({ id: 1 });
    const later = {
      ...{ threadId: 1, supersedes: 1, createdAt: START + 20_000 },
      details: { ...details, marketBuyCount: 3, marketTotalBought: 4_500, positionShares: 10_000 },
    };
    const stored = [alertOf({ id: 1, createdAt: START }), alertOf({ id: 2, ...later })];
    const given = { threadId: 1, alertIds: [1, 2], heldShares: 2_400, peakShares: 10_000 };
    const first = exitOf({ number: 1, ...given, createdAt: START + 40_000 });
    const { window, state, bets } = await windowOver(stored, { now: START + 40_000, sold: [first] });
    const seen = async (isRealtime: boolean) => (await bets(10, isRealtime)).map((row) => row.slice(2));

    expect(await seen(true)).toEqual([
      [4_500, 0.24],
      [4_500, 0.24],
    ]);
    state.now = START + DELAY;
    expect(await seen(false)).toEqual([[2_000, 1]]);
    state.now += 20_000;
    expect(await seen(false)).toEqual([
      [4_500, 1],
      [4_500, 1],
    ]);
    state.now += 20_000;
    expect((await seen(false))[1]).toEqual([4_500, 0.24]);
    window.addExit(exitOf({ number: 2, ...given, level: 'out', heldShares: 0, createdAt: state.now }));
    expect([(await seen(true))[1], (await seen(false))[1]]).toEqual([
      [4_500, 0],
      [4_500, 0.24],
    ]);
  });

  test('equals what the store would answer, and asks it only for what is older than the window', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        gaps,
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (given, limit, isRealtime) => {
          let createdAt = START;
          const stored = given.map((gap, index) => {
            createdAt += gap;
            return alertOf({ id: index + 1, createdAt });
          });
          const { state, ids } = await windowOver(stored, { capacity: 10, now: createdAt });
          const until = isRealtime ? createdAt : createdAt - DELAY;
          const visible = stored.filter((alert) => alert.createdAt <= until);
          expect(await ids(limit, isRealtime)).toEqual(
            visible
              .map(({ id }) => id)
              .toReversed()
              .slice(0, limit),
          );
          const inWindow = stored.slice(-10).filter((alert) => alert.createdAt <= until).length;
          expect(state.reads).toBe(stored.length >= 10 && inWindow < limit ? 1 : 0);
        },
      ),
    );
  });
});
