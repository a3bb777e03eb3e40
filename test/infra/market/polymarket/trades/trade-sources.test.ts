import { expect, test } from 'vitest';
import type { Clock } from '../../../../../src/core/base/time/clock.ts';
import { HOUR_MS, SECOND_MS } from '../../../../../src/core/base/time/duration.ts';
import type { Trade } from '../../../../../src/core/trades/trade.ts';
import { generatedTape } from '../../../../support/market/generated-tape.ts';
import type { MarketTape } from '../../../../support/market/market-tape.ts';
import { runTradeSources } from '../../../../support/market/trade-sources-run.ts';
import { booked } from '../../../../support/polymarket/trade-book.ts';

const START_S = Date.UTC(2026, 9, 5) / 1_000;
const START = START_S * 1_000;
const TAPE = generatedTape({ trades: 1_680, perSecond: 1 / 30, start: START_S, wallets: 40, markets: 8 });

const transactions = (trades: readonly Trade[]) => trades.map(({ transaction }) => transaction);

const never = () => new Promise<never>(() => {});

/** A list that is walked back forever, a page of one trade in each second. */
function endlessList() {
  let pages = 0;
  return async (_: unknown, clock: Clock) => {
    await clock.sleep(SECOND_MS);
    pages += 1;
    const data = [TAPE.trade(tradedUntil(clock.now()).length - pages)];
    return { data, pagination: { has_more: true, next_cursor: `${pages}` } };
  };
}

/** The list of the tape as the market has it: 6 s behind, and nothing of what was traded after `frozenAt`. */
function listOf(tape: MarketTape, frozenAt = Number.POSITIVE_INFINITY) {
  return async (_: unknown, clock: Clock) => {
    const listed = indicesUntil(Math.min(clock.now() - 6_000, frozenAt), tape).slice(-200);
    return { data: listed.map((index) => tape.trade(index)).toReversed(), pagination: { has_more: false } };
  };
}

function tradedUntil(until: number): string[] {
  return indicesUntil(until, TAPE).map((index) => TAPE.trade(index).transactionHash);
}

function indicesUntil(until: number, tape: MarketTape): number[] {
  const indices = Array.from({ length: tape.count }, (_, index) => index);
  return indices.filter((index) => tape.timeOf(index) * 1_000 <= until);
}

test('a node that reads back an hour hands it on while polling still walks, and confirms none of it', async () => {
  const startAt = START + 13 * HOUR_MS;
  const { pass, confirmed, enqueued, sources } = await runTradeSources({
    ...{ tape: TAPE, startAt, wantedFrom: startAt - HOUR_MS, get: endlessList() },
  });
  await pass(40_000);
  expect(sources.status().sources?.leader).toBe('node');
  expect(confirmed).toEqual([]);
  const before = new Set(tradedUntil(startAt - HOUR_MS - 1));
  const expected = tradedUntil(startAt).filter((transaction) => !before.has(transaction));
  expect(transactions(enqueued).filter((transaction) => expected.includes(transaction))).toEqual(expected);
});

const GHOST = JSON.parse(
  '{"proxyWallet":"0xa11ce0000000000000000000000000000000c0de","side":"BUY","asset":"1001","conditionId":"0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e","size":10000,"price":0.3,"title":"Will Harbour vote yes?","slug":"harbour-vote-yes","eventSlug":"harbour-vote","outcome":"Yes","outcomeIndex":0,"transactionHash":"0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1"}',
);

test.each<[string, Partial<Parameters<typeof runTradeSources>[0]>]>([
  ['the list never shows', {}],
  ['comes while the list fails', { get: never }],
  ['neither list nor node show', { hasNode: true }],
])('a trade of the stream that %s is passed on by nothing', async (_, given) => {
  const { pass, stream, enqueued, sources } = await runTradeSources({
    ...{
      tape: TAPE,
      startAt: START,
      wantedFrom: START - 60_000,
      hasNode: false,
      get: listOf(TAPE),
      ...given,
    },
  });
  await pass(1_000);
  for (const size of [10_000, 20_000]) stream.send({ ...GHOST, size, timestamp: START_S });
  stream.send([booked(START_S), { ...GHOST, timestamp: START_S, transactionHash: '0xd2' }]);
  await pass(60_000);
  const tape = new Set(tradedUntil(START + 60_000));
  expect(transactions(enqueued).filter((transaction) => !tape.has(transaction))).toEqual([]);
  expect(sources.oldestWaiting()).toBeNull();
});

test('without a node a trade of the stream wakes the reading of the list, each second until the list must have it', async () => {
  const askedAt: number[] = [];
  const list = listOf(TAPE);
  const { pass, stream, clock } = await runTradeSources({
    ...{ tape: TAPE, startAt: START, wantedFrom: START - 60_000, hasNode: false },
    async get(request, at) {
      if (request.path === '/v2/trades' && askedAt.at(-1) !== at.now()) askedAt.push(at.now());
      return list(request, at);
    },
  });
  const asked = async (ms: number) => {
    const before = askedAt.length;
    await pass(ms);
    return askedAt.length - before;
  };
  await pass(1_000);
  stream.send(booked(START_S));
  expect(await asked(10_000)).toBeGreaterThanOrEqual(8);
  await pass(4_000);
  expect(await asked(20_000)).toBeLessThanOrEqual(5);
  for (let frame = 0; frame < 50; frame++) stream.send(booked(START_S));
  const sentAt = clock.now();
  expect(await asked(5_000)).toBeLessThanOrEqual(6);
  expect(askedAt.find((at) => at >= sentAt)).toBeLessThanOrEqual(sentAt + 500);
  await pass(60_000);
  expect(await asked(10_000)).toBeGreaterThanOrEqual(8);
});

test('what waits for its token is named to the record, as long as polling has not listed it', async () => {
  const { pass, sources, tokens } = await runTradeSources({
    ...{ tape: TAPE, startAt: START + HOUR_MS, wantedFrom: START + HOUR_MS - 60_000, get: never },
  });
  tokens.clear();
  await pass(20_000);
  expect(sources.status().sources?.node?.waitingForToken).toBeGreaterThan(0);
  expect(sources.oldestWaiting()).toBe(sources.status().sources?.node?.oldestUnknownToken?.since);
});

test('a node that leaves logs out costs no trade: the list is read each second until it has lacked nothing for a minute', async () => {
  const tape = generatedTape({ trades: 2_000, perSecond: 5, start: START_S, wallets: 40, markets: 8 });
  const askedAt: number[] = [];
  const { pass, node, sources, enqueued } = await runTradeSources({
    ...{ tape, startAt: START, wantedFrom: START - 1_000 },
    async get({ path }, clock) {
      if (path === '/v2/trades' && askedAt.at(-1) !== clock.now()) askedAt.push(clock.now());
      return listOf(tape)(path, clock);
    },
  });
  const intervalAfter = async (ms: number) => {
    await pass(ms);
    const [last = 0, before = 0] = askedAt.toReversed();
    return last - before;
  };
  expect(await intervalAfter(90_000)).toBe(5_000);
  expect(sources.status().sources?.leader).toBe('node');
  node.manners.omits = (index) => index % 2 === 0;
  expect(await intervalAfter(30_000)).toBeLessThanOrEqual(1_250);
  node.manners.omits = () => false;
  expect(await intervalAfter(30_000)).toBeLessThanOrEqual(1_250);
  expect(await intervalAfter(60_000)).toBe(5_000);
  const seen = new Set(transactions(enqueued));
  expect(tradedUntil(START + 200_000).filter((transaction) => !seen.has(transaction))).toEqual([]);
});

test('a list that does not show what a node showed 20 s ago is stalled, whatever it says of itself', async () => {
  const tape = generatedTape({ trades: 1_000, perSecond: 1, start: START_S, wallets: 40, markets: 8 });
  const fresh = { data: { serving: { lag_seconds: 1 }, age_seconds: 1 } };
  const { pass, confirmed, causes, enqueued } = await runTradeSources({
    ...{ tape, startAt: START, wantedFrom: START - 1_000 },
    get: async (request, clock) =>
      request.path === '/v2/status' ? fresh : listOf(tape, START + 30_000)(request, clock),
  });
  await pass(90_000);
  expect(confirmed.at(-1)?.until).toBeLessThanOrEqual(START + 50_000);
  expect(causes.at(-1)).toBe('stalled');
  expect(enqueued.at(-1)?.at).toBeGreaterThan(START + 80_000);
});

test('while the list is away the trades of the node pass, and nothing confirms them', async () => {
  const tape = generatedTape({ trades: 1_000, perSecond: 5, start: START_S, wallets: 40, markets: 8 });
  const { pass, confirmed, provisional, sources } = await runTradeSources({
    ...{ tape, startAt: START, wantedFrom: START - 1_000 },
    get: (request, clock) => (clock.now() < START + 36_000 ? listOf(tape)(request, clock) : never()),
  });
  await pass(90_000);
  expect(sources.status().sources).toMatchObject({ leader: 'node', node: { isAtHead: true } });
  expect(confirmed.at(-1)?.until).toBeLessThan(START + 30_000);
  expect(confirmed.at(-1)?.until).toBeGreaterThan(START + 15_000);
  expect(provisional.at(-1)?.isProvisional).toBe(true);
});

test('a node that ends is unconfirmed up to its last block', async () => {
  const tape = generatedTape({ trades: 400, perSecond: 5, start: START_S, wallets: 40, markets: 8 });
  const { pass, node, provisional } = await runTradeSources({
    ...{ tape, startAt: START, wantedFrom: START - 1_000, get: never },
  });
  await pass(20_000);
  node.isOn = false;
  await pass(30_000);
  expect(provisional.at(-1)?.isProvisional).toBe(false);
  expect(provisional.at(-1)?.since).toBeLessThanOrEqual(START + 20_000);
  expect(provisional.at(-1)?.since).toBeGreaterThan(START + 14_000);
});
