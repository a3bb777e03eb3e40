import { describe, expect, test } from 'vitest';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import type { LogEntry } from '../../src/core/alerts/log/log-entry.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { storeExits } from '../support/stored.ts';

const OLD = START - FREE_DELAY_MS;

async function startWith(...exits: readonly (Partial<Exit> & { number: number })[]) {
  const api = await startApi();
  await api.append(alertOf({ id: 1, createdAt: OLD }));
  await storeExits(api.database, ...exits.map((exit) => exitOf({ createdAt: OLD, ...exit })));
  const { secret: pro } = await api.issue({ tier: 'pro' });
  const { secret: free } = await api.issue({ tier: 'free' });
  return { ...api, pro, free };
}

describe('GET /exits', () => {
  test('has exits in one seq, as their entries in the log have them', async () => {
    const { get, pro, database } = await startWith({ number: 1 }, { number: 2, level: 'out' });
    const [, { seq, hash }] = (await database.log.after(0, 2)) as [LogEntry, LogEntry];

    const { status, body } = await get('/exits', pro);

    expect([status, body.last, body.has_more]).toEqual([200, 2, false]);
    expect(body.exits).toMatchObject([
      {
        ...{ number: 1, level: 'half', thread_id: 1, alert_ids: [1] },
        ...{ held_share: 0.4, held_shares: 32_000, peak_shares: 80_000, sold_shares: 48_000 },
        ...{ sale_price: 0.71, realized_profit: 7_680, seconds_since_alert: 10_800 },
        log: { seq, hash },
      },
      { number: 2, level: 'out' },
    ]);
    expect((await get('/exits/1', pro)).body).toEqual(body.exits[0]);
  });

  test('of one wallet or market are those alone, in pages of their own', async () => {
    const wallet = `0x${'b'.repeat(40)}`;
    const { get, pro } = await startWith(
      { number: 1, wallet },
      { number: 2 },
      { number: 3, wallet, marketId: '0xm2' },
    );
    const numbers = async (query: string) => {
      const { exits, has_more } = (await get(`/exits?${query}`, pro)).body;
      return [exits.map(({ number }: { number: number }) => number), has_more];
    };
    expect(await numbers(`wallet=${wallet.toUpperCase().replace('X', 'x')}`)).toEqual([[1, 3], false]);
    expect(await numbers(`wallet=${wallet}&limit=1`)).toEqual([[1], true]);
    expect(await numbers(`wallet=${wallet}&after=1`)).toEqual([[3], false]);
    expect(await numbers('market_id=0xm1')).toEqual([[1, 2], false]);
    expect(await numbers('market_id=0xnone')).toEqual([[], false]);
  });
});

test('GET /alerts/{id} has the exits of its thread; a list of alerts has none', async () => {
  const { get, pro, free } = await startWith({ number: 1 }, { number: 2, level: 'out', createdAt: OLD + 1 });
  const stateFor = async (key: string) => {
    const { exits } = (await get('/alerts/1', key)).body.details;
    return [exits.state, exits.exits.map(({ number }: { number: number }) => number)];
  };
  expect([await stateFor(pro), await stateFor(free)]).toEqual([
    ['out', [1, 2]],
    ['half', [1]],
  ]);
  expect((await get('/alerts?expand=details', pro)).body.alerts[0].details).not.toHaveProperty('exits');
});
