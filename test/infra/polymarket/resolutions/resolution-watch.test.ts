import { describe, expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { categoryOf } from '../../../../src/core/classification/category-of.ts';
import type { LiveRow } from '../../../../src/core/source/source.ts';
import { openDatabase } from '../../../../src/infra/database.ts';
import { MarketCatalogue } from '../../../../src/infra/polymarket/markets/market-catalogue.ts';
import { TokenMemory } from '../../../../src/infra/polymarket/markets/token-memory.ts';
import { ResolutionWatch } from '../../../../src/infra/polymarket/resolutions/resolution-watch.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { ledgerOver } from '../../../support/ledger.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { gammaMarket, idEnding } from '../../../support/polymarket/gamma-market.ts';
import { startMarketServer } from '../../../support/polymarket/market-server.ts';
import { protocolV2Market, V2_ID, V2_ID_OF_GAMMA } from '../../../support/polymarket/protocol-v2.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const NOW = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const [A1, A2, A3] = [idEnding('a1'), idEnding('a2'), idEnding('a3')];
const YES = [1_000_000, 0];
const NO = [0, 1_000_000];
const v2 = (status: string, payouts: unknown, condition_id = A1) => ({ condition_id, status, payouts });

/** The watch over a database and a ledger that books what it offers, as the service does. */
async function open({ isBooking = true } = {}) {
  const server = await startMarketServer();
  const database = await openDatabase('sqlite::memory:');
  onTestFinished(() => database.close());
  const clock = createFakeClock(NOW);
  const logger = createRecordingLogger();
  const ledger = ledgerOver(database);
  await ledger.open();
  const enqueued: LiveRow[] = [];
  const offer = async (rows: readonly LiveRow[]) => {
    enqueued.push(...rows);
    for (const { row } of rows)
      if (isBooking && row.kind === 'market') await ledger.resolve(row.market, clock.now());
  };
  const shared = { client: server.client, categorise: categoryOf, clock, logger, enqueue: offer };
  const catalogue = new MarketCatalogue({
    ...shared,
    metrics: noMetrics,
    tokens: new TokenMemory(),
    onDrop: () => {},
  });
  const unsettled: number[] = [];
  const metrics = { marketsUnsettled: (count: number) => void unsettled.push(count) };
  const watch = new ResolutionWatch({ ...shared, ...database, metrics, catalogue, random: () => 0.5 });
  const stop = new AbortController();
  return {
    ...{ server, database, clock, logger, ledger, enqueued, unsettled, watch, stop },
    alert: (given: Partial<Alert> = {}) =>
      database.alerts.append(alertOf({ id: 1, marketId: A1, entryPrice: 0.4, shares: 1_000, ...given })),
    outcomes: async () => (await database.alerts.after(0, 100)).map(({ resolution }) => resolution),
    prices: () => enqueued.map(({ row }) => (row.kind === 'market' ? row.market.payouts : row.kind)),
    /** Starts it, and returns once the first round is over. */
    async run() {
      const run = watch.run(stop.signal);
      onTestFinished(async () => {
        stop.abort();
        await run;
      });
      await clock.asleep(2);
    },
    /** Jumps ahead, to the one round that is then due. */
    async jump(ms: number) {
      await clock.advance(ms);
      await clock.asleep(2);
    },
    /** Lets so much time pass, each round to its end. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= MINUTE) {
        await clock.advance(Math.min(left, MINUTE));
        await clock.asleep(2);
      }
    },
  };
}

describe('resolution watch', () => {
  test('v2 has the word on payouts, Gamma on names; it is asked every 5 minutes, and the alert is resolved', async () => {
    const it = await open();
    await it.alert();
    it.server.markets = [gammaMarket({ outcomePrices: '["0.9995","0.0005"]' })];
    it.server.resolutions = [v2('proposed', null)];
    await it.run();
    await it.pass(10 * MINUTE);
    expect(await it.outcomes()).toEqual([null]);

    it.server.resolutions = [v2('resolved', YES)];
    await it.pass(6 * MINUTE);

    expect(await it.outcomes()).toEqual([{ payout: 1, won: true, profitUsdc: 600 }]);
    expect(JSON.parse(it.enqueued[0]?.line ?? '')).toMatchObject({
      ...{ question: 'Will it?', closed: true, outcomePrices: ['1', '0'], umaResolutionStatus: 'resolved' },
    });
    const asked = it.server.requests.find(({ pathname }) => pathname === '/v2/resolutions');
    expect(asked?.search).toBe(`?condition=${A1}`);
  });

  test('a 50-50 market pays half, and the wallets that made money were right', async () => {
    const it = await open();
    await it.alert();
    await it.alert({ id: 2, entryPrice: 0.6 });
    it.server.markets = [gammaMarket({ closed: true })];
    it.server.resolutions = [v2('resolved', ['500000', '500000'])];

    await it.run();

    expect(await it.outcomes()).toEqual([
      { payout: 0.5, won: true, profitUsdc: 100 },
      { payout: 0.5, won: false, profitUsdc: -100 },
    ]);
  });

  test.each([
    'initialized',
    'posed',
    'proposed',
    'challenged',
    'reproposed',
    'disputed',
    'active',
    'arbitration',
    'never seen before',
    '',
  ])('a market that is %s is not resolved, whatever Gamma and its payouts say', async (status) => {
    const it = await open();
    await it.alert();
    it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];
    it.server.resolutions = [v2(status, YES)];

    await it.run();
    await it.pass(6 * MINUTE);

    expect(it.enqueued).toEqual([]);
    const isOdd = ['never seen before', ''].includes(status);
    expect(it.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(isOdd ? 1 : 0);
  });

  test.each([
    ['none', null],
    ['of one outcome', [1_000_000]],
    ['of three', [1_000_000, 0, 0]],
    ['of two winners', [1_000_000, 1_000_000]],
    ['of nothing', [0, 0]],
    ['that are unequal', [700_000, 300_000]],
    ['that are no numbers', ['NaN', 'x']],
  ])('payouts %s settle nothing, which is logged once', async (_name, payouts) => {
    const it = await open();
    await it.alert();
    it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];
    it.server.resolutions = [v2('resolved', payouts)];

    await it.run();
    await it.pass(11 * MINUTE);

    expect(it.enqueued).toEqual([]);
    expect(it.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('of three outcomes the payouts pair with the names', async () => {
    const it = await open();
    await it.alert({ outcome: 'C', outcomeIndex: 2 });
    it.server.markets = [gammaMarket({ outcomes: '["A","B","C"]', outcomePrices: null, clobTokenIds: null })];
    it.server.resolutions = [v2('resolved', [0, 0, 1_000_000])];

    await it.run();

    expect(await it.outcomes()).toMatchObject([{ payout: 1, won: true }]);
  });

  describe.each([
    ['fails', (it: Awaited<ReturnType<typeof open>>) => void it.server.failing.set('/v2/resolutions', 503)],
    ['does not know the market', () => {}],
  ])('when v2 %s', (_name, prepare) => {
    test('Gamma’s own row counts once it is settled', async () => {
      const it = await open();
      prepare(it);
      await it.alert();
      it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["0","1"]' })];

      await it.run();

      expect(await it.outcomes()).toMatchObject([{ payout: 0, won: false }]);
    });

    test.each([
      ['["0","0"]', {}],
      ['["0.9995","0.0005"]', {}],
      ['["1","0"]', { umaResolutionStatus: 'proposed' }],
      ['["1","0"]', { closed: false }],
      ['["NaN","0"]', {}],
    ])('prices %s with %j are not settled', async (outcomePrices, given) => {
      const it = await open();
      prepare(it);
      await it.alert();
      it.server.markets = [gammaMarket({ closed: true, outcomePrices, ...given })];

      await it.run();

      expect(it.enqueued).toEqual([]);
    });

    test('Gamma does not correct what is booked', async () => {
      const it = await open();
      prepare(it);
      await it.alert({ outcome: 'Maybe', outcomeIndex: 999 });
      await it.ledger.resolve({ id: A1, outcomes: ['Yes', 'No'], payouts: [0, 1] }, NOW);
      it.server.markets = [gammaMarket({ closed: true, outcomePrices: '["1","0"]' })];

      await it.run();

      expect(it.enqueued).toEqual([]);
    });
  });

  test('a market that was disputed and resolved otherwise is corrected within a day', async () => {
    const it = await open();
    await it.alert();
    it.server.markets = [gammaMarket({ closed: true })];
    it.server.resolutions = [v2('resolved', YES)];
    await it.run();
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

  test('the same outcome is not offered again while it is being booked, nor after', async () => {
    const it = await open({ isBooking: false });
    await it.alert();
    it.server.markets = [gammaMarket()];
    it.server.resolutions = [v2('resolved', YES)];
    await it.run();
    await it.pass(6 * MINUTE);
    expect(it.enqueued).toHaveLength(1);

    await it.ledger.resolve({ id: A1, outcomes: ['Yes', 'No'], payouts: [1, 0] }, NOW);
    await it.pass(20 * MINUTE);

    expect(it.enqueued).toHaveLength(1);
  });

  test('one that was lost before it was booked is offered again', async () => {
    const it = await open({ isBooking: false });
    await it.alert();
    it.server.markets = [gammaMarket()];
    it.server.resolutions = [v2('resolved', YES)];
    await it.run();

    await it.pass(11 * MINUTE);

    expect(it.enqueued).toHaveLength(2);
  });

  test('a market named by the stream is checked immediately, and again until it is settled', async () => {
    const it = await open();
    it.server.markets = [gammaMarket()];
    it.server.resolutions = [v2('proposed', null)];
    await it.run();
    const looked = () => it.server.requests.filter(({ pathname }) => pathname === '/v2/resolutions').length;
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

  test('an alert that comes after its market resolved is resolved immediately', async () => {
    const it = await open();
    it.server.markets = [gammaMarket()];
    it.server.resolutions = [v2('resolved', NO)];
    await it.run();
    it.watch.resolved(A1);
    await expect.poll(() => it.prices()).toEqual([[0, 1]]);

    const { id: _id, createdAt: _at, resolution: _none, ...candidate } = alertOf({ id: 1, marketId: A1 });
    const alert = await it.ledger.append(candidate, { tradedAt: NOW, detectedAt: NOW, isHistory: false });

    expect(alert?.resolution).toMatchObject({ payout: 0, won: false });
  });

  test('asks for at most 20 markets in one request, and a market unknown everywhere stays unchanged', async () => {
    const it = await open();
    for (let id = 1; id <= 45; id += 1) await it.alert({ id, marketId: idEnding(id.toString(16)) });
    await it.alert({ id: 46, marketId: 'no condition' });

    await it.run();

    const asked = it.server.requests
      .filter(({ pathname }) => pathname === '/v2/resolutions')
      .map(({ searchParams }) => searchParams.get('condition')?.split(',').length);
    expect(asked).toEqual([20, 20, 5]);
    expect(it.enqueued).toEqual([]);
    expect(it.logger.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  test('a market of Protocol V2 is resolved under the id its trades carry', async () => {
    const it = await open();
    await it.alert({ marketId: V2_ID });
    it.server.markets = [protocolV2Market({ outcomes: '["Yes","No"]' })];
    it.server.resolutions = [v2('resolved', YES, V2_ID)];

    await it.run();

    expect(await it.outcomes()).toMatchObject([{ payout: 1, won: true }]);
  });

  test('a market that Gamma does not describe is resolved by the places that its alerts give its outcomes', async () => {
    const it = await open();
    await it.alert();
    await it.alert({ id: 2, outcome: 'No', outcomeIndex: 999 });
    await it.alert({ id: 3, outcome: 'outcome 0' });
    it.server.resolutions = [v2('resolved', NO)];

    await it.run();

    expect(await it.outcomes()).toMatchObject([{ won: false }, { won: true }, { won: false }]);
    expect(it.unsettled).toEqual([]);
    expect(JSON.parse(it.enqueued[0]?.line ?? '')).toMatchObject({
      conditionId: A1,
      outcomes: ['Yes', 'No'],
    });
  });

  test('names that alerts did not tell are added when Gamma describes the market, and only then', async () => {
    const it = await open();
    await it.alert();
    await it.alert({ id: 2, outcome: 'token 123456…', outcomeIndex: 999 });
    it.server.resolutions = [v2('resolved', YES)];
    await it.run();
    await it.pass(25 * MINUTE);
    expect(it.enqueued).toHaveLength(1);
    expect(await it.database.resolutions.get(A1)).toMatchObject({ outcomes: ['Yes', ''], payouts: [1, 0] });

    it.server.markets = [gammaMarket()];
    await it.pass(6 * MINUTE);
    expect(await it.database.resolutions.get(A1)).toMatchObject({ outcomes: ['Yes', 'No'] });
    await it.pass(25 * MINUTE);
    expect(it.enqueued).toHaveLength(2);
  });

  test('where nothing shows which outcome was paid, its alerts stay unresolved until Gamma does; it is logged once and counted', async () => {
    const it = await open();
    await it.alert({ outcomeIndex: 999 });
    it.server.resolutions = [v2('resolved', YES)];
    await it.run();
    await it.pass(11 * MINUTE);
    expect(await it.outcomes()).toEqual([null]);
    expect(it.unsettled.at(-1)).toBe(1);
    expect(it.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);

    it.server.markets = [gammaMarket()];
    await it.pass(6 * MINUTE);
    expect(await it.outcomes()).toMatchObject([{ won: true }]);
    expect(it.unsettled.at(-1)).toBe(0);
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
    const asked = it.server.requests.filter(({ pathname }) => pathname === '/v2/resolutions');
    expect(asked.length).toBeLessThanOrEqual(11);
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
    const asked = it.server.requests.filter(({ pathname }) => pathname === '/v2/resolutions');
    // The last one: whether what Gamma settled is corrected.
    expect(asked.length).toBeLessThanOrEqual(13);
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
});
