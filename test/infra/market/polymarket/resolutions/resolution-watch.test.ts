import { expect, test } from 'vitest';
import { gammaMarket, idEnding } from '../../../../support/polymarket/gamma-market.ts';
import { V2_ID_OF_GAMMA } from '../../../../support/polymarket/protocol-v2.ts';
import { A1, A2, A3, MINUTE, NO, NOW, open, v2, YES } from './resolution-watch-fixture.ts';

const DAY = 24 * 60 * MINUTE;

async function paidYes(given?: Parameters<typeof open>[0]) {
  const it = await open(given);
  await it.alert();
  it.server.markets = [gammaMarket({ closed: true })];
  it.server.resolutions = [v2('resolved', YES)];
  await it.run();
  return it;
}

test('a market that was disputed and resolved otherwise is corrected within a day', async () => {
  const it = await paidYes();
  it.server.resolutions = [v2('disputed', YES)];
  await it.jump(DAY + 6 * MINUTE);
  expect(await it.outcomes()).toMatchObject([{ won: true }]);

  it.server.resolutions = [v2('resolved', NO)];
  await it.jump(DAY + 6 * MINUTE);

  expect(await it.outcomes()).toEqual([{ payout: 0, won: false, profitUsdc: -400 }]);
  expect(it.prices()).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test('an outcome is looked at again after 1 and 6 hours, then daily for a week, and no more', async () => {
  const it = await paidYes();
  const looks = () => it.asked().length;
  const [first, hours] = [looks(), [] as number[]];
  for (let hour = 1, seen = first; hour <= 10 * 24; hour += 1) {
    await it.jump(60 * MINUTE);
    if (looks() > seen) hours.push(hour);
    seen = looks();
  }
  expect(hours).toEqual([1, 6, 24, 48, 72, 96, 120, 144, 168]);
  expect(looks() - first).toBe(9);
});

test('the same outcome is not offered again while it is being booked, nor after', async () => {
  const it = await paidYes({ isBooking: false });
  await it.pass(6 * MINUTE);
  expect(it.enqueued).toHaveLength(1);

  await it.ledger.resolve({ id: A1, outcomes: ['Yes', 'No'], payouts: [1, 0] }, NOW);
  await it.pass(20 * MINUTE);

  expect(it.enqueued).toHaveLength(1);
});

test('one that was lost before it was booked is offered again', async () => {
  const it = await paidYes({ isBooking: false });

  await it.pass(11 * MINUTE);

  expect(it.enqueued).toHaveLength(2);
});

test('a market named by the stream is checked immediately, and again until it is settled', async () => {
  const it = await open();
  it.server.markets = [gammaMarket()];
  it.server.resolutions = [v2('proposed', null)];
  await it.run();
  const looked = () => it.asked().length;
  it.watch.resolved(idEnding('A1'));
  await expect.poll(looked).toBe(1);
  await it.clock.asleep(2);
  await it.pass(5_000);
  await expect.poll(looked).toBe(2);

  it.server.resolutions = [v2('resolved', YES)];
  await it.pass(31_000);
  await expect.poll(() => it.prices()).toEqual([[1, 0]]);
  await it.pass(4 * MINUTE);

  expect(looked()).toBe(3);
});

test('asks for at most 20 markets in one request, and a market unknown everywhere stays unchanged', async () => {
  const it = await open();
  for (let id = 1; id <= 45; id += 1) await it.alert({ id, marketId: idEnding(id.toString(16)) });
  await it.alert({ id: 46, marketId: 'no condition' });

  await it.run();

  const asked = it.asked().map(({ searchParams }) => searchParams.get('condition')?.split(',').length);
  expect(asked).toEqual([20, 20, 5]);
  expect(it.enqueued).toEqual([]);
  expect(it.logger.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
});

test('what is no id of 64 digits joins no batch, and an id that is refused costs only itself', async () => {
  const it = await open();
  const ids = Array.from({ length: 20 }, (_, index) => idEnding(`c${index}`));
  const marketIds = [...ids, V2_ID_OF_GAMMA, '0xa1', `${A1}0`, 'no condition'];
  for (const [index, marketId] of marketIds.entries()) await it.alert({ id: index + 1, marketId });
  it.server.badIds.add(ids[13] as string);
  it.server.markets = ids.map((conditionId) => gammaMarket({ conditionId }));
  it.server.resolutions = ids.map((id) => v2('resolved', YES, id));

  await it.run();

  const resolved = (await it.outcomes()).map((outcome) => outcome !== null);
  expect(resolved).toEqual(marketIds.map((_, index) => index < 20 && index !== 13));
  expect(it.asked().length).toBeLessThanOrEqual(11);
  expect(it.logger.lines.filter(({ level }) => level === 'warn')).toEqual([]);
});

test('a route that refuses every id is asked a bounded number of times, and Gamma alone counts', async () => {
  const it = await open();
  for (let id = 1; id <= 20; id += 1) await it.alert({ id, marketId: idEnding(`c${id}`) });
  it.server.failing.set('/v2/resolutions', 400);
  it.server.markets = [
    gammaMarket({ conditionId: idEnding('c7'), closed: true, outcomePrices: '["1","0"]' }),
  ];

  await it.run();

  expect((await it.outcomes()).filter((outcome) => outcome !== null)).toMatchObject([{ won: true }]);
  // The last one: whether what Gamma settled is corrected.
  expect(it.asked().length).toBeLessThanOrEqual(13);
  expect(it.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
});

test('names the tokens of markets that await their outcome, those that end first', async () => {
  const it = await open();
  await it.alert();
  await it.alert({ id: 2, marketId: A2 });
  await it.alert({ id: 3, marketId: A3 });
  it.server.markets = [
    gammaMarket({ endDate: null }),
    gammaMarket({ conditionId: A2, clobTokenIds: ['21', '22'] }),
  ];

  await it.run();

  expect(it.watch.assets).toEqual(['21', '22', '11', '12']);
});

test('a database that fails is logged, and the call retried', async () => {
  const it = await open();
  await it.alert();
  it.server.markets = [gammaMarket()];
  it.server.resolutions = [v2('resolved', YES)];
  const { unresolvedMarkets } = it.database.alerts;
  it.database.alerts.unresolvedMarkets = () => Promise.reject(new Error('down'));
  await it.run();
  expect(it.logger.lines.map(({ level }) => level)).toEqual(['warn']);

  it.database.alerts.unresolvedMarkets = unresolvedMarkets;
  await it.pass(MINUTE);

  expect(it.prices()).toEqual([[1, 0]]);
});
