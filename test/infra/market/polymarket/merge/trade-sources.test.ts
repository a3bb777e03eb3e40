import { expect, test } from 'vitest';
import type { Clock } from '../../../../../src/core/base/time/clock.ts';
import { HOUR_MS, SECOND_MS } from '../../../../../src/core/base/time/duration.ts';
import type { Trade } from '../../../../../src/core/trades/trade.ts';
import { UpstreamFault } from '../../../../../src/infra/market/polymarket/client/market-client.ts';
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

function tradedUntil(until: number): string[] {
  return indicesUntil(until, TAPE).map((index) => TAPE.trade(index).transactionHash);
}

function indicesUntil(until: number, tape: MarketTape): number[] {
  const indices = Array.from({ length: tape.count }, (_, index) => index);
  return indices.filter((index) => tape.timeOf(index) * 1_000 <= until);
}

test('what a node confirms was passed on, also while polling reads back from long ago', async () => {
  const startAt = START + 13 * HOUR_MS;
  const { pass, confirmed, enqueued } = await runTradeSources({
    ...{ tape: TAPE, startAt, wantedFrom: START, get: endlessList() },
  });
  await pass(10_000);
  const until = confirmed.at(-1)?.until ?? START;
  const missing = new Set(until === START ? [] : tradedUntil(until));
  for (const transaction of transactions(enqueued)) missing.delete(transaction);
  expect([...missing]).toEqual([]);
});

test('a node that reads back an hour hands it on while polling still walks, and confirms none of it', async () => {
  const startAt = START + 13 * HOUR_MS;
  const { pass, confirmed, enqueued, sources } = await runTradeSources({
    ...{ tape: TAPE, startAt, wantedFrom: startAt - HOUR_MS, get: endlessList(), isStreaming: () => true },
  });
  await pass(40_000);
  expect(sources.status().sources?.leader).toBe('node');
  expect(confirmed).toEqual([]);
  const before = new Set(tradedUntil(startAt - HOUR_MS - 1));
  const expected = tradedUntil(startAt).filter((transaction) => !before.has(transaction));
  expect(transactions(enqueued).filter((transaction) => expected.includes(transaction))).toEqual(expected);
});

test('at a start nothing newer overtakes what polling reads back, though the stream shows trades before it answers', async () => {
  let answer: (value: unknown) => void = () => {};
  const { pass, stream, enqueued, clock } = await runTradeSources({
    ...{ tape: TAPE, startAt: START, wantedFrom: START - 48 * HOUR_MS, hasNode: false },
    get: () => new Promise((resolve) => (answer = resolve)),
  });
  await pass(1_000);
  stream.send(booked(START_S));
  await pass(3_000);
  expect(enqueued).toEqual([]);
  answer({ data: [booked(START_S - 47 * 3_600)], pagination: { has_more: false } });
  await pass(1_000);
  expect(enqueued.map(({ at }) => at)).toEqual([START - 47 * HOUR_MS]);
  expect(clock.now()).toBe(START + 5_000);
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

test.each<[string, Parameters<typeof runTradeSources>[0]['get']]>([
  [
    'cannot be read',
    async () => ({ data: Array.from({ length: 30 }, () => ({ of: 'another shape' })), pagination: {} }),
  ],
  [
    'can be read on its first page alone',
    async ({ query }) => {
      if ('cursor' in query) throw new UpstreamFault('refused', { outcome: 'refused', status: 400 });
      return { data: [booked(START_S)], pagination: { has_more: true, next_cursor: 'next' } };
    },
  ],
])('a list that %s holds up no trade of the stream', async (_name, get) => {
  const { pass, stream, enqueued } = await runTradeSources({
    ...{ tape: TAPE, startAt: START, wantedFrom: START - HOUR_MS, hasNode: false, get },
  });
  await pass(1_000);
  for (let second = 0; second < 40; second++) {
    stream.send(booked(START_S + second));
    await pass(1_000);
  }
  expect(enqueued.length).toBeGreaterThan(20);
});

/** A node that is lost after 40 s, beside a list that says to be twelve hours behind; history of an hour is wanted. */
async function loseNode() {
  const startAt = START + 13 * HOUR_MS;
  const { pass, node, confirmed, completeUntil } = await runTradeSources({
    ...{ tape: TAPE, startAt, wantedFrom: startAt - HOUR_MS, isStreaming: () => true },
    get: async ({ path }) =>
      path === '/v2/status'
        ? { data: { serving: { lag_seconds: 12 * 3_600 }, age_seconds: 1 } }
        : { data: [booked(START_S + 3_600)], pagination: { has_more: false } },
  });
  await pass(40_000);
  const until = Math.max(...confirmed.map((span) => span.until));
  expect(until).toBe(startAt + 30_000);
  completeUntil.length = 0;
  node.isOn = false;
  node.dropSockets();
  await pass(20_000);
  expect(completeUntil).not.toEqual([]);
  return { until, completeUntil };
}

test('what a node has confirmed stays confirmed when it is lost and the list turns out to be hours old', async () => {
  const { completeUntil, until } = await loseNode();
  expect(Math.min(...completeUntil)).toBeGreaterThanOrEqual(until);
});

test('a node that leaves logs out loses the lead, and with it nothing; complete for a minute, it leads again', async () => {
  const tape = generatedTape({ trades: 2_000, perSecond: 5, start: START_S, wallets: 40, markets: 8 });
  const { pass, node, sources, enqueued, confirmed, logger } = await runTradeSources({
    ...{ tape, startAt: START, wantedFrom: START - 1_000, get: never, isStreaming: () => true },
  });
  const leaderAfter = async (ms: number) => {
    await pass(ms);
    return sources.status().sources?.leader;
  };
  expect(await leaderAfter(30_000)).toBe('node');
  node.manners.omits = (index) => index % 2 === 0;
  expect(await leaderAfter(30_000)).toBe('stream');
  const confirmedUntil = confirmed.at(-1)?.until;
  node.manners.omits = () => false;
  expect(await leaderAfter(30_000)).toBe('stream');
  expect(await leaderAfter(45_000)).toBe('node');
  expect(confirmed.at(-1)?.until).toBe(confirmedUntil);
  const changes = logger.lines.filter(({ message }) => message === 'leading source of trades changed');
  expect(changes.map(({ fields }) => fields).slice(-2)).toEqual([
    { leader: 'stream', before: 'node' },
    { leader: 'node', before: 'stream' },
  ]);
  expect(enqueued.length).toBeGreaterThan(600);
  const numbers = new Map(
    Array.from({ length: tape.count }, (_, at) => [tape.trade(at).transactionHash, at]),
  );
  const seen = new Set(transactions(enqueued).map((transaction) => numbers.get(transaction)));
  expect([...seen].filter((at) => at !== undefined && at > 0 && !seen.has(at - 1))).toEqual([]);
});

test('the list is asked every 5 s while a node leads that others agree with, and each second once it leaves logs out', async () => {
  const tape = generatedTape({ trades: 2_000, perSecond: 5, start: START_S, wallets: 40, markets: 8 });
  const askedAt: number[] = [];
  const { pass, node, sources } = await runTradeSources({
    ...{ tape, startAt: START, wantedFrom: START - 1_000, isStreaming: () => true },
    async get({ path }, clock) {
      if (path === '/v2/trades' && askedAt.at(-1) !== clock.now()) askedAt.push(clock.now());
      const listed = indicesUntil(clock.now() - 6_000, tape).slice(-200);
      const rows = listed.map((index) => tape.trade(index)).toReversed();
      return { data: rows, pagination: { has_more: false } };
    },
  });
  await pass(30_000);
  expect(sources.status().sources?.leader).toBe('node');
  const intervals = () => askedAt.slice(-3).map((at, index, all) => at - (all[index - 1] ?? at));
  expect(intervals().slice(1)).toEqual([5_000, 5_000]);
  node.manners.omits = (index) => index % 2 === 0;
  await pass(30_000);
  expect(sources.status().sources?.leader).toBe('stream');
  expect(Math.max(...intervals())).toBeLessThanOrEqual(1_250);
});

test('a node confirms nothing after the last trade that another source shows', async () => {
  const tape = generatedTape({ trades: 1_000, perSecond: 5, start: START_S, wallets: 40, markets: 8 });
  const { pass, confirmed, provisional, sources } = await runTradeSources({
    ...{ tape, startAt: START, wantedFrom: START - 1_000, get: never },
    isStreaming: (now) => now < START + 30_000,
  });
  await pass(90_000);
  expect(sources.status().sources).toMatchObject({ leader: 'node', node: { isAtHead: true } });
  expect(confirmed.at(-1)?.until).toBeLessThan(START + 30_000);
  expect(confirmed.at(-1)?.until).toBeGreaterThan(START + 25_000);
  expect(provisional.at(-1)?.isProvisional).toBe(true);
});

test('a stream that ends is unconfirmed up to its last trade', async () => {
  const { pass, stream, provisional, clock } = await runTradeSources({
    ...{ tape: TAPE, startAt: START, wantedFrom: START - 60_000, hasNode: false, get: never },
  });
  for (const second of [10, 20]) {
    await pass(10_000);
    stream.send(booked(START_S + second));
  }
  await pass(1_000);
  const lastAt = clock.now();
  await pass(30_000);
  const last = provisional.at(-1);
  expect(last?.isProvisional).toBe(false);
  expect(lastAt - (last?.since ?? 0)).toBeLessThanOrEqual(1_000);
});
