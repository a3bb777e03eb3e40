import { expect, onTestFinished, test } from 'vitest';
import { gammaMarket } from '../../../../support/polymarket/gamma-market.ts';
import { A1, A2, A3, A4, idsOf, MINUTE, open } from './market-catalogue-fixture.ts';

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
