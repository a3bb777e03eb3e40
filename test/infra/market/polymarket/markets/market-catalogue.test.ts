import { describe, expect, test } from 'vitest';
import { gammaMarket, idEnding } from '../../../../support/polymarket/gamma-market.ts';
import {
  protocolV2Market,
  V2_ID,
  V2_ID_OF_GAMMA,
  V2_POSITIONS,
} from '../../../../support/polymarket/protocol-v2.ts';
import { A1, A2, A3, idsOf, open } from './market-catalogue-fixture.ts';

test('describes markets', async () => {
  const { server, describe } = await open();
  server.markets = [gammaMarket(), gammaMarket({ conditionId: idEnding('A2'), question: 'And this?' })];

  const rows = await describe([A1, idEnding('A2')]);

  expect(idsOf(rows)).toEqual([A1, A2]);
  const [asked] = server.requests;
  expect(asked?.pathname).toBe('/markets/keyset');
  expect(asked?.searchParams.getAll('condition_ids')).toEqual([A1, A2]);
  expect(asked?.searchParams.get('include_tag')).toBe('true');
  expect(asked?.searchParams.get('limit')).toBe('100');
  expect(asked?.searchParams.has('offset')).toBe(false);
});

test('finds closed markets too, and one Gamma does not know is absent', async () => {
  const { server, describe } = await open();
  server.markets = [
    gammaMarket(),
    gammaMarket({ conditionId: A2, closed: true, outcomePrices: '["0","1"]' }),
  ];

  const rows = await describe([A1, A2, A3]);

  expect(idsOf(rows)).toEqual([A1, A2]);
  expect(rows[1]?.row).toMatchObject({ market: { payouts: [0, 1] } });
  expect(server.requests[1]?.searchParams.getAll('condition_ids')).toEqual([A2, A3]);
});

test('asks for at most 25 markets in one request', async () => {
  const { server, describe } = await open();
  const ids = Array.from({ length: 60 }, (_, index) => idEnding(`${index + 1}f`));
  server.markets = ids.map((conditionId) => gammaMarket({ conditionId }));

  expect(idsOf(await describe(ids))).toEqual(ids);

  const asked = server.requests.map((url) => url.searchParams.getAll('condition_ids').length);
  expect(asked).toEqual([25, 25, 10]);
});

test('markets that were not requested are ignored', async () => {
  const { describe, server } = await open();
  const markets = [gammaMarket({ conditionId: idEnding('ff') })];
  server.client.get = async () => ({ body: { markets }, ageMs: 0, asOf: 0 });

  expect(await describe([A1])).toEqual([]);
});

test('a server that fails, or answers something else, is no answer', async () => {
  const { server, describe } = await open();
  server.failing.set('/markets/keyset', 503);
  await expect(describe([A1])).rejects.toMatchObject({ status: 503 });

  server.client.get = async () => ({ body: { type: 'maintenance' }, ageMs: 0, asOf: 0 });
  await expect(describe([A1])).rejects.toMatchObject({ outcome: 'garbled' });
});

test('a market that cannot be used is dropped and counted, and what is no condition id is not asked for', async () => {
  const { server, describe, dropped } = await open();
  server.markets = [gammaMarket({ question: null }), gammaMarket({ conditionId: A2 })];

  expect(idsOf(await describe([A1, A2, 'x&y', '']))).toEqual([A2]);

  expect(dropped).toEqual(['missing_field']);
  expect(server.requests[0]?.searchParams.getAll('condition_ids')).toEqual([A1, A2]);
});

describe('a market of Protocol V2, whose id Gamma writes with 62 digits', () => {
  test.each(['own', 'padded'] as const)(
    'is described under the id its trades carry, with its positions as tokens, when Gamma finds it by the %s width',
    async (width) => {
      for (const closed of [false, true]) {
        const { server, describe } = await open();
        server.gammaWidth = width;
        server.markets = [gammaMarket(), protocolV2Market({ closed })];

        const rows = await describe([A1, V2_ID]);

        expect(idsOf(rows)).toEqual([A1, V2_ID]);
        expect(rows[1]?.row).toMatchObject({ market: { tokenIds: V2_POSITIONS, tags: ['politics'] } });
        expect(JSON.parse(rows[1]?.line ?? '')).toMatchObject({ conditionId: V2_ID, version: 'v2' });
        expect(server.requests).toHaveLength(closed ? 2 : 1);
      }
    },
  );

  test('costs the others nothing where Gamma refuses that width', async () => {
    const { server, describe, logger } = await open();
    server.badIds.add(V2_ID_OF_GAMMA);
    server.markets = [gammaMarket(), protocolV2Market()];

    expect(idsOf(await describe([A1, V2_ID]))).toEqual([A1]);
    expect(await describe([V2_ID])).toEqual([]);

    expect(logger.lines).toEqual([]);
  });
});

test.each([[[A2]], [[A1, A3]], [[A1, A2, A3, idEnding('b5')]]])(
  'ids that Gamma refuses (%j) cost only themselves',
  async (bad) => {
    const { server, describe } = await open();
    const ids = [A1, A2, A3, ...Array.from({ length: 22 }, (_, index) => idEnding(`b${index}`))];
    for (const id of bad) server.badIds.add(id);
    server.markets = ids.map((conditionId) => gammaMarket({ conditionId }));

    expect(idsOf(await describe(ids)).toSorted()).toEqual(ids.filter((id) => !bad.includes(id)).toSorted());

    expect(server.requests.length).toBeLessThanOrEqual(50);
  },
);
