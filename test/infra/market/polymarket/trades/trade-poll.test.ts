import { expect, test } from 'vitest';
import type { Trade } from '../../../../../src/core/trades/trade.ts';
import { type BookedTrade, booked, pageV2 } from '../../../../support/polymarket/trade-book.ts';
import { answers, book, hashes, LAG, poll, SECOND, START } from './trade-poll-fixture.ts';

test('the first round enqueues immediately all that is listed from the wanted time, oldest first, and confirms it', async () => {
  const listed = book(300);
  const { until, spans, offers, enqueued } = await poll({
    answer: answers((asked) => pageV2(listed, asked, 50)),
  });
  await until(() => spans.length > 0);
  expect(offers).toHaveLength(1);
  expect(enqueued()).toEqual(hashes(listed.slice(0, 122).toReversed()));
  expect(spans[0]).toEqual({ from: START - 121_000, until: START - LAG });
});

test('each trade that a page lists is reported, known or not, as far back as the walk looks', async () => {
  const listed = book(100);
  const { until, spans, listings, enqueued, clock } = await poll({
    wantedFrom: START - 20_000,
    answer: answers((asked) => pageV2(listed, asked, 200)),
  });
  const [newest = ''] = hashes(listed);
  const count = () => listings.filter((transaction) => transaction === newest).length;
  await until(() => spans.length > 0);
  expect(enqueued().length).toBeLessThan(listed.length);
  expect(listings.toSorted()).toEqual(enqueued().toSorted());
  expect(count()).toBe(1);
  await clock.asleep(1);
  await until(() => spans.length > 1, 100);
  expect(count()).toBe(2);
});

test('the first start ever reaches an hour back', async () => {
  const listed = [booked(SECOND - 10), booked(SECOND - 3_599), booked(SECOND - 3_601)];
  const { until, spans, enqueued } = await poll({
    wantedFrom: null,
    answer: answers((asked) => pageV2(listed, asked)),
  });
  await until(() => spans.length > 0);
  expect(enqueued()).toEqual(hashes(listed.slice(0, 2).toReversed()));
});

const ladder = () => {
  const [dear, cheap] = [booked(SECOND, { price: 0.31 }), booked(SECOND, { price: 0.3 })];
  const { price, ...order } = dear;
  return [dear, { ...order, price: cheap['price'] }] as const;
};
const ordinals = (offers: readonly (readonly Trade[])[]) =>
  offers.flat().flatMap(({ price, ordinal }) => (price === 0.5 ? [] : [[price, ordinal]]));

test('equal rows of two pages count once until one page lists both, then twice, at the price of either', async () => {
  const listed: BookedTrade[] = [booked(SECOND), booked(SECOND), ...ladder(), ...book(20)];
  const { until, spans, offers } = await poll({ answer: answers((asked) => pageV2(listed, asked, 3)) });
  await until(() => spans.length > 2, 100);
  expect(ordinals(offers)).toEqual([[0.31, 1]]);
  listed.unshift(booked(SECOND + 1));
  await until(() => ordinals(offers).length > 1, 100);
  await until(() => spans.length > 9, 100);
  expect(ordinals(offers)).toEqual([
    [0.31, 1],
    [0.31, 2],
  ]);
});

test('a list that is not by time is offered by time, and within a second in the reverse of the list', async () => {
  const [a, b, c, d] = [booked(SECOND - 5), booked(SECOND - 1), booked(SECOND - 9), booked(SECOND - 5)];
  const { until, spans, enqueued } = await poll({ answer: answers((asked) => pageV2([a, b, c, d], asked)) });
  await until(() => spans.length > 0);
  expect(enqueued()).toEqual(hashes([c, d, a, b]));
});

test.each([
  ['408', 408, 'failing'],
  ['429', 429, 'rate_limited'],
  ['500', 500, 'failing'],
  ['garbage', 200, 'failing'],
  ['nothing', null, 'unreachable'],
] as const)(
  '%s on the way: the page is asked for again, the walk is kept, nothing is confirmed before',
  async (_name, status, cause) => {
    const listed = book(120);
    let refusals = 3;
    const { until, spans, offers, enqueued, failures, market } = await poll({
      answer: answers((asked, response) => {
        if (asked.query.get('cursor') === null || refusals-- <= 0) return pageV2(listed, asked, 50);
        if (status === null) return void response.destroy();
        return void response.writeHead(status).end('<html>');
      }),
    });
    await until(() => failures.length === 3, 50);
    expect([spans, offers]).toEqual([[], []]);
    await until(() => spans.length > 0, 50);
    expect(failures).toEqual([cause, cause, cause]);
    expect(enqueued()).toEqual(hashes(listed.toReversed()));
    expect(market.asked.filter(({ query }) => query.get('cursor') === null).length).toBeLessThanOrEqual(2);
    expect(spans[0]?.until).toBe(START - LAG);
  },
);

test('a row with fields left out is asked for again, then read without what it can do without, or dropped once', async () => {
  const whole = booked(SECOND - 2);
  const untitled = booked(SECOND - 3, { title: undefined });
  const nameless = booked(SECOND - 4, { proxyWallet: undefined });
  const odd = booked(SECOND - 5, { size: 'NaN' });
  const { until, spans, enqueued, drops, market } = await poll({
    answer: answers((asked) => pageV2([whole, untitled, nameless, odd], asked)),
  });
  await until(() => spans.length > 0);
  expect(market.asked.length).toBeGreaterThanOrEqual(3);
  expect(enqueued()).toEqual(hashes([untitled, whole]));
  const before = market.asked.length;
  await until(() => spans.length > 2, 200);
  expect(drops).toEqual(['missing_field', 'bad_size']);
  const since = market.asked.slice(before).map(({ query }) => query.get('limit') === '5');
  // Each page once: three walks, and the looks in between.
  expect([since.filter(Boolean).length <= 10, since.filter((isLook) => !isLook).length]).toEqual([true, 3]);
});

test('combos are left out and counted once, without reading the page again or a word in the log', async () => {
  const combos = [booked(SECOND - 2, { is_combo: true }), booked(SECOND - 3, { isCombo: true })];
  const rows = [...combos, booked(SECOND - 4)];
  const { until, spans, enqueued, drops, market, logger } = await poll({
    answer: answers((asked) => pageV2(rows, asked)),
  });
  await until(() => spans.length > 0);
  expect(market.asked.filter(({ query }) => query.get('limit') === '1000')).toHaveLength(1);
  await until(() => spans.length > 2, 200);
  expect([enqueued(), drops]).toEqual([hashes(rows.slice(2)), ['combo', 'combo']]);
  expect(logger.lines.filter(({ level }) => level === 'warn')).toEqual([]);
});

test('a page of combos alone is a page of trades', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => booked(SECOND - index, { is_combo: true }));
  const { until, spans, failures } = await poll({
    wantedFrom: null,
    answer: answers((asked) => pageV2(rows, asked)),
  });
  await until(() => spans.length > 0);
  expect(failures).toEqual([]);
});

test('a page of which no row can be read is no quiet market', async () => {
  const listed = book(30).map(({ price: _, ...rest }) => rest);
  const { until, spans, failures } = await poll({ answer: answers((asked) => pageV2(listed, asked)) });
  await until(() => failures.length > 2, 100);
  expect(spans).toEqual([]);
  expect(new Set(failures)).toEqual(new Set(['failing']));
});

test('a walk of more pages than are kept offers all, oldest first, and nothing newer meanwhile', async () => {
  const listed = Array.from({ length: 700 }, (_, i) => booked(SECOND - i * 60));
  const { until, spans, offers, enqueued, trades, market } = await poll({
    wantedFrom: START - 86_400_000,
    answer: answers((asked) => pageV2(listed, asked, 10)),
  });
  await until(() => offers.length > 0, 200);
  expect(trades.status()).toMatchObject({ state: 'catching_up' });
  expect(spans).toEqual([]);
  await until(() => spans.length > 0, 200);
  expect(enqueued()).toEqual(hashes(listed.toReversed()));
  expect(market.asked.filter(({ path }) => path === '/v2/trades').length).toBeGreaterThanOrEqual(80);
});

test('stopping leaves nothing asleep', async () => {
  const { until, spans, over, run, clock } = await poll({
    answer: answers((asked) => pageV2(book(5), asked)),
  });
  await until(() => spans.length > 0);
  over.abort();
  await run;
  expect(clock.sleepers).toBe(0);
});

test('a round continues past its floor while the end of a page brings something new', async () => {
  const listed = book(100);
  const { until, spans, offers } = await poll({ answer: answers((asked) => pageV2(listed, asked, 40)) });
  await until(() => spans.length > 0);
  const late = [booked(SECOND - 35), booked(SECOND - 42)];
  listed.splice(35, 0, late[0] as BookedTrade);
  listed.splice(43, 0, late[1] as BookedTrade);
  await until(() => offers.length > 1, 50);
  expect(offers[1]?.map(({ transaction }) => transaction)).toEqual(hashes(late.toReversed()));
});

test('an unchanged list is looked at each second, five rows at a time, and walked every five or six', async () => {
  const listed = book(400);
  const { until, spans, clock, market } = await poll({ answer: answers((asked) => pageV2(listed, asked)) });
  await until(() => spans.length > 1, 100);
  const [before, begun] = [market.asked.length, clock.now()];
  await until(() => clock.now() >= begun + 20_000, 100);
  const limits = market.asked.slice(before).map(({ query }) => Number(query.get('limit')));
  expect(limits.filter((limit) => limit === 5).length).toBeGreaterThanOrEqual(19);
  // The seconds that are confirmed again, and the tail.
  const walks = limits.filter((limit) => limit > 5);
  expect([walks.length >= 3, walks.length <= 4, Math.max(...walks) <= 50]).toEqual([true, true, true]);
});

test('a new trade is known with the next look, by one page of about the rows since the confirmed moment', async () => {
  const listed = book(400);
  const { until, spans, clock, market, enqueued } = await poll({
    answer: answers((asked) => pageV2(listed, asked)),
  });
  await until(() => spans.length > 3, 100);
  const fresh = [1, 2, 3].map(() => booked(Math.floor(clock.now() / 1_000) - 3));
  listed.unshift(...fresh);
  const [before, begun] = [market.asked.length, clock.now()];
  await until(() => enqueued().includes(fresh[0]?.transactionHash as string), 100);
  expect(clock.now() - begun).toBeLessThanOrEqual(1_100);
  const limits = market.asked.slice(before).map(({ query }) => Number(query.get('limit')));
  expect(limits.filter((limit) => limit > 5).map((limit) => limit <= 50)).toEqual([true]);
});

test('when a burst is longer than the page, the walk begins anew with the longest pages, and misses nothing', async () => {
  const listed = book(400);
  const { until, spans, clock, market, enqueued } = await poll({
    answer: answers((asked) => pageV2(listed, asked)),
  });
  await until(() => spans.length > 3, 100);
  const burst = Array.from({ length: 1_500 }, () => booked(Math.floor(clock.now() / 1_000) - 3));
  listed.unshift(...burst);
  const [before, confirmed] = [market.asked.length, spans.length];
  await until(() => spans.length > confirmed, 100);
  expect(hashes(burst).filter((hash) => !enqueued().includes(hash))).toEqual([]);
  const [short, ...long] = market.asked.slice(before).flatMap(({ query }) => {
    const limit = Number(query.get('limit'));
    return limit > 5 ? [[limit, query.has('cursor')] as const] : [];
  });
  expect(short?.[0]).toBe(50);
  expect(long.slice(0, 2)).toEqual([
    [1_000, false],
    [1_000, true],
  ]);
});

test('while nothing is expected the list is asked every 5 s, and each second again within 5 s of its end', async () => {
  const listed = book(400);
  const node = { isCertified: true };
  const { until, spans, clock, freshAt } = await poll({
    answer: answers((asked) => pageV2(listed, asked)),
    isNothingExpected: () => node.isCertified,
  });
  await until(() => spans.length > 4, 100);
  const steps = () => freshAt.slice(1).map((at, i) => at - (freshAt[i] as number));
  expect([Math.min(...steps()), Math.max(...steps()) <= 5_100]).toEqual([5_000, true]);
  node.isCertified = false;
  const before = freshAt.length;
  const lostAt = clock.now();
  await until(() => freshAt.length > before + 3, 100);
  expect(clock.now() - lostAt).toBeLessThanOrEqual(5_000 + 3_500);
});
