import { describe, expect, onTestFinished, test } from 'vitest';
import { categoryOf } from '../../../../src/core/classification/category-of.ts';
import type { DropReason, LiveRow } from '../../../../src/core/source/source.ts';
import { MarketCatalogue } from '../../../../src/infra/polymarket/markets/market-catalogue.ts';
import { TokenMemory } from '../../../../src/infra/polymarket/markets/token-memory.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { gammaMarket, idEnding } from '../../../support/polymarket/gamma-market.ts';
import { startMarketServer } from '../../../support/polymarket/market-server.ts';
import {
  protocolV2Market,
  V2_ID,
  V2_ID_OF_GAMMA,
  V2_POSITIONS,
} from '../../../support/polymarket/protocol-v2.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const NOW = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const [A1, A2, A3, A4] = [idEnding('a1'), idEnding('a2'), idEnding('a3'), idEnding('a4')];
const idsOf = (rows: readonly LiveRow[]) =>
  rows.map(({ row }) => (row.kind === 'market' ? row.market.id : null));

async function open() {
  const server = await startMarketServer();
  const clock = createFakeClock(NOW);
  const logger = createRecordingLogger();
  const dropped: DropReason[] = [];
  const enqueued: LiveRow[] = [];
  const undescribed: number[] = [];
  const catalogue = new MarketCatalogue({
    client: server.client,
    categorise: categoryOf,
    clock,
    logger,
    tokens: new TokenMemory(),
    metrics: { marketsUndescribed: (count) => void undescribed.push(count) },
    onDrop: (reason) => dropped.push(reason),
  });
  const { signal } = new AbortController();
  return {
    server,
    clock,
    logger,
    dropped,
    enqueued,
    undescribed,
    catalogue,
    describe: (ids: string[]) => catalogue.describe(ids, signal),
  };
}

/** Runs the refresh until the test ends; `minutes` lets it work for so long. */
async function running({ catalogue, clock, enqueued }: Awaited<ReturnType<typeof open>>) {
  const stop = new AbortController();
  const run = catalogue.run(stop.signal, async (rows) => void enqueued.push(...rows));
  onTestFinished(async () => {
    stop.abort();
    await run;
  });
  return async (minutes: number) => {
    for (let left = minutes; left > 0; left -= 1) {
      await clock.asleep();
      await clock.advance(MINUTE);
    }
    await clock.asleep();
  };
}

test.each(['markets', 'data', 'list'] as const)(
  'describes markets, in an answer of the shape %s',
  async (shape) => {
    const { server, describe } = await open();
    server.shape = shape;
    server.markets = [gammaMarket(), gammaMarket({ conditionId: idEnding('A2'), question: 'And this?' })];

    const rows = await describe([A1, idEnding('A2')]);

    expect(idsOf(rows)).toEqual([A1, A2]);
    const [asked] = server.requests;
    expect(asked?.pathname).toBe('/markets/keyset');
    expect(asked?.searchParams.getAll('condition_ids')).toEqual([A1, A2]);
    expect(asked?.searchParams.get('include_tag')).toBe('true');
    expect(asked?.searchParams.get('limit')).toBe('100');
    expect(asked?.searchParams.has('offset')).toBe(false);
  },
);

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

test('asks for at most 25 markets in one request, and follows a cursor over the pages of an answer', async () => {
  const { server, describe } = await open();
  const ids = Array.from({ length: 60 }, (_, index) => idEnding((index + 1).toString(16)));
  server.markets = ids.map((conditionId) => gammaMarket({ conditionId }));
  server.pageSize = 10;

  expect(idsOf(await describe(ids))).toEqual(ids);

  const asked = server.requests.map((url) => url.searchParams);
  expect(Math.max(...asked.map((query) => query.getAll('condition_ids').length))).toBe(25);
  expect(asked.map((query) => query.get('after_cursor'))).toEqual([null, '10', '20', null, '10', '20', null]);
});

test('a server whose cursor never ends is not asked indefinitely, and markets that were not requested are ignored', async () => {
  const { describe, server } = await open();
  const strangers = { markets: [gammaMarket({ conditionId: idEnding('ff') })], next_cursor: 'again' };
  server.client.get = async () => {
    server.requests.push(new URL('http://market/'));
    return { body: strangers, ageMs: 0, asOf: 0 };
  };

  expect(await describe([A1])).toEqual([]);
  expect(server.requests.length).toBeLessThanOrEqual(4);
});

test.each([400, 404])(
  'a keyset listing that answers %i is replaced by the older one for an hour',
  async (status) => {
    const { server, describe, clock, logger } = await open();
    server.markets = [gammaMarket()];
    server.failing.set('/markets/keyset', status);

    await describe([A1]);
    expect(idsOf(await describe([A1]))).toEqual([A1]);
    await clock.advance(60 * MINUTE);
    server.failing.clear();
    await describe([A1]);

    expect(server.requests.map(({ pathname }) => pathname)).toEqual([
      ...['/markets/keyset', '/markets', '/markets', '/markets/keyset'],
    ]);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  },
);

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

test('a market that was traded is described again after half an hour, and enqueued when it changed', async () => {
  const opened = await open();
  const { server, catalogue, enqueued } = opened;
  server.markets = [gammaMarket(), gammaMarket({ conditionId: A2 }), gammaMarket({ conditionId: A3 })];
  await opened.describe([A1, A2, A3]);
  server.requests.length = 0;
  const pass = await running(opened);
  server.markets = [
    gammaMarket({ volume24hr: 5000 }),
    gammaMarket({ conditionId: A2, outcomePrices: '["0.7","0.3"]' }),
    gammaMarket({ conditionId: A3, question: 'Not traded' }),
  ];
  for (const id of [A1, A2, A1]) catalogue.touched(id);

  await pass(29);
  expect(server.requests).toEqual([]);
  await pass(2);

  expect(server.requests[0]?.searchParams.getAll('condition_ids')).toEqual([A1, A2]);
  expect(enqueued.map(({ row }) => row)).toMatchObject([{ market: { id: A1, volume24h: 5000 } }]);
  await pass(31);
  expect(server.requests).toHaveLength(1);
});

test('a refreshed row never settles a market: that is for the resolution watch', async () => {
  const opened = await open();
  opened.catalogue.touched(A1);
  const pass = await running(opened);
  opened.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];

  await pass(31);

  expect(opened.enqueued.map(({ row }) => row)).toMatchObject([{ market: { id: A1, payouts: null } }]);
});

test('how many of the markets traded in the last hour Gamma does not describe is known, and measured each minute', async () => {
  const opened = await open();
  const { server, catalogue, undescribed } = opened;
  server.markets = [gammaMarket()];
  for (const id of [A1, A2, A3]) catalogue.touched(id);
  await opened.describe([A1, A2]);
  const pass = await running(opened);
  await pass(1);
  expect(undescribed).toEqual([1, 1]);

  server.markets = [gammaMarket({ conditionId: A2 }), gammaMarket({ conditionId: A3 })];
  await pass(31);
  expect(undescribed.at(-1)).toBe(0);

  catalogue.touched(A4);
  await opened.describe([A4]);
  await pass(59);
  expect(undescribed.at(-1)).toBe(1);
  await pass(2);
  expect(undescribed.at(-1)).toBe(0);
});

test('a refresh that fails is logged and retried', async () => {
  const opened = await open();
  opened.catalogue.touched(A1);
  opened.server.failing.set('/markets/keyset', 500);
  const pass = await running(opened);
  await pass(31);
  expect(opened.logger.lines.map(({ level }) => level)).toContain('warn');

  opened.server.failing.clear();
  opened.server.markets = [gammaMarket()];
  await pass(31);

  expect(idsOf(opened.enqueued)).toEqual([A1]);
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
      }
    },
  );

  test.each(['own', 'padded'] as const)(
    'is found with one request, beside the others, once it is known that Gamma finds it by the %s width',
    async (width) => {
      const { server, clock, describe } = await open();
      server.gammaWidth = width;
      server.markets = [gammaMarket(), protocolV2Market()];
      await describe([V2_ID]);

      server.requests.length = 0;
      expect(idsOf(await describe([A1, V2_ID]))).toEqual([A1, V2_ID]);
      expect(server.requests).toHaveLength(1);
      server.markets = [];
      await describe([A1, V2_ID]);
      expect(server.requests).toHaveLength(3);

      await clock.advance(60 * MINUTE);
      server.requests.length = 0;
      server.gammaWidth = width === 'own' ? 'padded' : 'own';
      server.markets = [protocolV2Market()];
      expect(idsOf(await describe([V2_ID]))).toEqual([V2_ID]);
    },
  );

  test('is found by its other width when Gamma no longer takes the one it was found by', async () => {
    const { server, describe, logger } = await open();
    server.markets = [gammaMarket(), protocolV2Market()];
    await describe([V2_ID]);
    server.badIds.add(V2_ID_OF_GAMMA);
    server.gammaWidth = 'padded';

    expect(idsOf(await describe([A1, V2_ID]))).toEqual([A1, V2_ID]);
    expect(logger.lines).toEqual([]);
  });

  test('costs the others nothing where Gamma refuses that width', async () => {
    const { server, describe, logger } = await open();
    server.badIds.add(V2_ID_OF_GAMMA);
    server.markets = [gammaMarket(), protocolV2Market()];

    expect(idsOf(await describe([A1, V2_ID]))).toEqual([A1]);
    expect(await describe([V2_ID])).toEqual([]);

    expect(server.requests.map(({ pathname }) => pathname)).not.toContain('/markets');
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
