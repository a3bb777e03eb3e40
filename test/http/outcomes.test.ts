import { describe, expect, test } from 'vitest';
import { alertOf, candidateOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { ledgerParts } from '../support/ledger.ts';
import { appendDrafts, settlementsAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { storeAlerts } from '../support/stored.ts';

const OLD = START - FREE_DELAY_MS;

async function startWithKeys() {
  const api = await startApi();
  const { secret: pro } = await api.issue({ tier: 'pro' });
  const { secret: free } = await api.issue({ tier: 'free' });
  return { ...api, pro, free };
}

async function startWithLedger() {
  const api = await startWithKeys();
  const { ledger } = ledgerParts(api.database);
  await ledger.open(1);
  let at = OLD - 60_000;
  const next = () => {
    at += 1_000;
    return at;
  };
  return {
    ...api,
    async publish(marketId: string) {
      const moment = next();
      const candidate = candidateOf({ key: String(moment), marketId, tradedAt: moment });
      await ledger.append([{ candidate, tradedAt: moment, detectedAt: moment, isHistory: false }]);
    },
    settle: (id: string, payouts: readonly number[], moment = next()) =>
      ledger.resolve({ id, outcomes: ['Yes', 'No'], payouts }, moment),
  };
}

describe('GET /outcomes', () => {
  test('has outcomes and corrections in one seq, each with the results that it gives', async () => {
    const { get, pro, publish, settle } = await startWithLedger();
    await publish('0xm1');
    await settle('0xm1', [1, 0]);
    await publish('0xm1');
    await settle('0xm2', [1, 0]);
    await settle('0xm1', [0, 1]);

    const { status, body } = await get('/outcomes', pro);

    expect([status, body.last, body.has_more]).toEqual([200, 3, false]);
    const titled = { market_id: '0xm1', event_title: 'Will the measure pass?', more_alerts: false };
    expect(body.outcomes).toMatchObject([
      {
        ...titled,
        number: 1,
        kind: 'settlement',
        payouts: [1, 0],
        alerts: [{ id: 1, won: true, profit_usdc: 3_000 }],
      },
      { number: 2, kind: 'settlement', market_id: '0xm2', event_title: null, alerts: [] },
      {
        ...{ ...titled, number: 3, kind: 'correction', payouts: [0, 1] },
        alerts: [
          { id: 1, won: false, profit_usdc: -2_000 },
          { id: 2, won: false, profit_usdc: -2_000 },
        ],
      },
    ]);
    const { events: entries } = (await get('/events', pro)).body;
    for (const { log, settled_at: at } of body.outcomes) {
      const { hash } = entries[log.seq - 1];
      expect([log.hash, at]).toEqual([hash, entries[log.seq - 1].at]);
    }
  });

  test('a free key sees neither a younger outcome nor its number', async () => {
    const { get, free, pro, database } = await startWithKeys();
    await appendDrafts(database.log, settlementsAt(OLD - 1, OLD, OLD + 1));
    expect((await get('/outcomes', pro)).body.last).toBe(3);
    const { body } = await get('/outcomes', free);
    expect([body.outcomes.length, body.last, body.has_more]).toEqual([2, 2, false]);
    expect((await get('/outcomes/3', free)).status).toBe(404);
    expect((await get('/outcomes/2', free)).body.number).toBe(2);
  });

  test('a page with thousands of alerts ends early, and the next continues after it', async () => {
    const { get, pro, database } = await startWithKeys();
    for (let id = 1; id <= 2_200; id += 1)
      await storeAlerts(database, alertOf({ id, marketId: `0xm${id % 22}` }));
    await appendDrafts(database.log, settlementsAt(...Array.from({ length: 22 }, () => START)));

    const first = (await get('/outcomes', pro)).body;
    const second = (await get(`/outcomes?after=${first.outcomes.length}`, pro)).body;

    expect([first.outcomes.length, first.has_more]).toEqual([20, true]);
    expect(second.outcomes.map(({ number }: { number: number }) => number)).toEqual([21, 22]);
  });
});
