import { expect, test } from 'vitest';
import { MarketCatalogue } from '../../../../../src/infra/market/polymarket/markets/market-catalogue.ts';
import { TokenCatalogue } from '../../../../../src/infra/market/polymarket/markets/token-catalogue.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { noMetrics } from '../../../../support/no-metrics.ts';
import { FakeMarket } from '../../../../support/polymarket/fake-market.ts';
import { gammaMarket, idEnding } from '../../../../support/polymarket/gamma-market.ts';
import { protocolV2Market, V2_ID, V2_POSITIONS } from '../../../../support/polymarket/protocol-v2.ts';
import { asTheService, createRecordingLogger } from '../../../../support/recording-logger.ts';
import { tradeOf } from '../../../../support/rows.ts';

const SECOND = 1_000;
const A1 = idEnding('a1');
const unlabelled = { title: '', slug: '', eventSlug: '', outcome: '', outcomeIndex: 999 };

async function open() {
  const server = new FakeMarket();
  const clock = createFakeClock(Date.UTC(2026, 10, 1));
  const logger = createRecordingLogger();
  const catalogue: MarketCatalogue = new MarketCatalogue({
    client: server.client,
    onMarket: (market) => tokens.learnMarket(market),
    metrics: noMetrics,
    clock,
    logger,
    onDrop: () => {},
  });
  const tokens = new TokenCatalogue(catalogue, clock, asTheService(logger));
  const { signal } = new AbortController();
  const lookUp = (...ids: string[]) => tokens.lookUp(ids, signal);
  const asked = (name: string) => server.requests.map((url) => url.searchParams.getAll(name));
  return { server, clock, logger, catalogue, tokens, lookUp, asked, signal };
}

test('a token that Gamma knows names its market, its words and its place among the outcomes', async () => {
  const { server, tokens, lookUp } = await open();
  server.markets = [gammaMarket()];
  expect(tokens.get('12')).toBeNull();

  await lookUp('12');

  const market = { marketId: A1, title: 'Will it?', slug: 'will-it', eventSlug: 'event' };
  expect(tokens.get('12')).toEqual({ ...market, outcome: 'No', outcomeIndex: 1 });
  expect(tokens.get('11')).toEqual({ ...market, outcome: 'Yes', outcomeIndex: 0 });
});

test('a market that was found by its token is not asked for again when a trade needs its description', async () => {
  const { server, catalogue, lookUp, signal } = await open();
  server.markets = [gammaMarket()];
  await lookUp('11');
  server.requests.length = 0;

  const [row] = await catalogue.describeNew([A1], signal);

  expect(row?.row).toMatchObject({ kind: 'market', market: { id: A1, tags: ['politics'] } });
  expect(server.requests).toEqual([]);
});

test('what a market’s row does not state stays as a trade of it stated it', async () => {
  const { server, tokens, lookUp } = await open();
  tokens.learn(
    tradeOf({ asset: '11', marketId: A1, slug: 'traded', eventSlug: 'vote', outcome: 'Ja', outcomeIndex: 0 }),
  );
  server.markets = [gammaMarket({ events: null, slug: '', outcomes: '["",""]' })];
  await lookUp('12');
  expect(tokens.get('11')).toMatchObject({
    title: 'Will it?',
    slug: 'traded',
    eventSlug: 'vote',
    outcome: 'Ja',
  });
});

test('closed markets are looked up too, 25 tokens a request', async () => {
  const { server, tokens, lookUp, asked } = await open();
  const ids = Array.from({ length: 30 }, (_, index) => `${index + 1}`);
  server.markets = ids.map((id) =>
    gammaMarket({ conditionId: idEnding(id), clobTokenIds: [id, `9${id}`], closed: id === '30' }),
  );

  await lookUp(...ids);

  expect(ids.filter((id) => tokens.get(id) === null)).toEqual([]);
  expect(asked('clob_token_ids').map((list) => list.length)).toEqual([25, 5, 1]);
});

test('a token that is not found is asked for again ever later, at the latest every 10 minutes', async () => {
  const { server, clock, tokens, lookUp } = await open();
  const times: number[] = [];
  for (let second = 0; second < 3_600; second += 1) {
    const before = server.requests.length;
    await lookUp('11');
    if (server.requests.length > before) times.push(second);
    await clock.advance(SECOND);
  }
  expect(times).toEqual([0, 5, 15, 35, 75, 155, 315, 635, 1_235, 1_835, 2_435, 3_035]);

  server.markets = [gammaMarket()];
  await clock.advance(10 * 60 * SECOND);
  await lookUp('11');
  expect(tokens.get('11')).toMatchObject({ marketId: A1 });
});

test('a failure never rejects, is logged once while it lasts, and the next call asks again', async () => {
  const { server, tokens, logger, lookUp } = await open();
  server.markets = [gammaMarket()];
  server.failing.set('/markets/keyset', 503);
  await lookUp('11');
  await lookUp('11');
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);

  server.failing.clear();
  await lookUp('11');

  expect(tokens.get('11')).not.toBeNull();
});

test.each(['own', 'padded'] as const)(
  'a position of Protocol V2 is found through the market that its id names, by the %s width',
  async (width) => {
    const { server, tokens, lookUp, asked } = await open();
    server.gammaWidth = width;
    server.markets = [protocolV2Market()];

    await lookUp(V2_POSITIONS[1]);

    expect(tokens.get(V2_POSITIONS[1])).toMatchObject({ marketId: V2_ID, outcome: 'No', outcomeIndex: 1 });
    expect(asked('clob_token_ids').flat()).toEqual([]);
  },
);

test('a position of Protocol V2 that Gamma does not know still names its market and the index of its outcome', async () => {
  const { tokens, lookUp } = await open();
  await lookUp(V2_POSITIONS[1]);
  expect(tokens.get(V2_POSITIONS[1])).toEqual({ ...unlabelled, marketId: V2_ID, outcomeIndex: 1 });
});

test('trades tell of their token what they say, and neither an empty text nor 999 hides what is known', async () => {
  const { server, tokens, lookUp } = await open();
  const trade = { marketId: A1, asset: '12' };
  tokens.learn(tradeOf({ ...trade, ...unlabelled }));
  expect(tokens.get('12')).toEqual({ marketId: A1, ...unlabelled });

  tokens.learn(tradeOf({ ...trade, ...unlabelled, title: 'Will it?', outcome: 'No' }));
  tokens.learn(tradeOf({ ...trade, ...unlabelled, slug: 'will-it', outcomeIndex: 1 }));
  tokens.learn(tradeOf({ ...trade, ...unlabelled, eventSlug: 'event' }));
  const other = { title: 'Another', slug: 'another', eventSlug: 'others', outcome: 'Maybe', outcomeIndex: 0 };
  tokens.learn(tradeOf({ ...trade, ...other }));
  tokens.learn(tradeOf({ ...trade, marketId: idEnding('a2') }));

  const words = { title: 'Will it?', slug: 'will-it', eventSlug: 'event', outcome: 'No', outcomeIndex: 1 };
  expect(tokens.get('12')).toEqual({ marketId: A1, ...words });
  await lookUp('12');
  expect(server.requests).toEqual([]);
});

test('the market’s own row has the last word on its tokens', async () => {
  const { server, catalogue, tokens, signal } = await open();
  tokens.learn(tradeOf({ marketId: A1, asset: '11', title: 'Old', outcome: 'Ja', outcomeIndex: 1 }));
  server.markets = [gammaMarket()];
  await catalogue.describe([A1], signal);
  tokens.learn(tradeOf({ marketId: A1, asset: '11', title: 'Old', outcome: 'Ja', outcomeIndex: 1 }));
  expect(tokens.get('11')).toMatchObject({ title: 'Will it?', outcome: 'Yes', outcomeIndex: 0 });
});
