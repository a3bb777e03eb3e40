import { describe, expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { BlindWindow } from '../../src/core/trades/coverage/blind-window.ts';
import { ask, startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';

const FILLED: BlindWindow = {
  id: 'a',
  startedAt: START - 100 * SECOND_MS,
  endedAt: START - 70 * SECOND_MS,
  cause: 'refused',
  backfilledAt: START - 69 * SECOND_MS,
};
const LASTING: BlindWindow = {
  id: 'b',
  startedAt: START - 30_500,
  endedAt: null,
  cause: 'unreachable',
  backfilledAt: null,
};

async function startWatched(...windows: readonly BlindWindow[]) {
  const api = await startApi();
  const { coverage } = api.database;
  await coverage.writePosition({
    since: START - 10 * DAY_MS,
    confirmedUntil: START - 30_500,
    oldestWaiting: null,
  });
  for (const window of windows) await coverage.putWindow(window);
  return { ...api, asked: (query = '') => ask(`${api.baseUrl}/api/v1/coverage${query}`) };
}

describe('GET /coverage', () => {
  test('shows the windows of 30 days, the one that lasts, and what they come to', async () => {
    const { asked } = await startWatched(FILLED, LASTING);
    const { body } = await asked();
    const lasting = {
      started_at: '2026-01-01T23:59:29.500Z',
      ended_at: null,
      seconds: 30.5,
      cause: 'unreachable',
      backfilled: false,
      backfilled_at: null,
    };
    expect(body).toEqual({
      state: 'blind',
      watching_since: '2025-12-23T00:00:00.000Z',
      facts_delayed: null,
      unwatched: null,
      confirmed_until: '2026-01-01T23:59:29.500Z',
      blind_now: lasting,
      reason: 'unreachable',
      message: 'The market did not answer.',
      windows: [
        lasting,
        {
          started_at: '2026-01-01T23:58:20.000Z',
          ended_at: '2026-01-01T23:58:50.000Z',
          seconds: 30,
          cause: 'refused',
          backfilled: true,
          backfilled_at: '2026-01-01T23:58:51.000Z',
        },
      ],
      has_more: false,
      summary: {
        since: '2025-12-23T00:00:00.000Z',
        until: '2026-01-02T00:00:00.000Z',
        windows: 2,
        blind_seconds: 60.5,
        unconfirmed_seconds: 0,
        not_backfilled_seconds: 30.5,
        covered: 0.999965,
      },
    });
  });

  test('shows which share of the volume is not watched, as the process that watches measured it', async () => {
    const { asked, database } = await startWatched();
    const unwatched = {
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T23:55:00.000Z',
      blocks: 1_435,
      combos_share: 0.25,
      other_contracts_share: null,
    };
    const checks = { trade_sources: { node: { unwatched: { ...unwatched, usdc: 1_234.567 } } } };
    await database.worker.put({ owner: 'a', at: START, address: 'http://localhost', checks });
    expect((await asked()).body.unwatched).toEqual({ ...unwatched, volume_usdc: 1_234.57 });
  });
});
