import { expect, test } from 'vitest';
import { type BookedTrade, booked, pageV2 } from '../../../../support/polymarket/trade-book.ts';
import { answers, book, hashes, LAG, poll, SECOND, START } from './trade-poll-fixture.ts';

test('what a taker’s row shows to be listed an hour late is found by a sweep within an hour, with its makers’ rows', async () => {
  const listed = Array.from({ length: 300 }, (_, i) => booked(SECOND - i * 30));
  const [taker, maker] = [booked(SECOND - 3_500), booked(SECOND - 3_500)];
  const makers: BookedTrade[] = [];
  const { until, spans, enqueued, trades, clock, market } = await poll({
    wantedFrom: START - 7_000_000,
    answer: answers((asked) => {
      const isTakers = asked.query.get('taker_only') === 'true';
      return pageV2(isTakers ? listed.filter((row) => !makers.includes(row)) : listed, asked, 50);
    }),
  });
  await until(() => spans.length > 2, 50);
  makers.push(maker);
  listed.splice(Math.ceil(3_500 / 30), 0, maker, taker);
  const asked = market.asked.length;
  await until(() => enqueued().includes(maker.transactionHash), 5_000);
  expect(enqueued()).toContain(taker.transactionHash);
  expect(clock.now() - START).toBeLessThan(61 * 60_000);
  expect(trades.status().state).toBe('live');
  const swept = market.asked.slice(asked).filter(({ query }) => query.get('limit') === '1000');
  expect(swept[0]?.query.get('taker_only')).toBe('true');
});

test('rows that are listed up to 11 s late are offered by the next round, and confirmed only then', async () => {
  const listed = book(100);
  const { until, spans, enqueued, clock, market } = await poll({
    answer: answers((asked) => pageV2(listed, asked, 50)),
  });
  await until(() => spans.length > 40, 100);
  for (const behind of [0, 3, 7, 11]) {
    const confirmed = spans.at(-1)?.until as number;
    const late = booked(Math.floor(clock.now() / 1_000) - behind);
    expect(late.timestamp * 1_000).toBeGreaterThanOrEqual(confirmed - 1_000);
    const at = listed.findIndex(({ timestamp }) => timestamp <= late.timestamp);
    listed.splice(at, 0, late);
    const rounds = spans.length;
    await until(() => spans.length > rounds + 1, 100);
    expect(enqueued()).toContain(late.transactionHash);
  }
  // A look a round, and a page every five.
  const [asked, begun] = [market.asked.length, clock.now()];
  await until(() => clock.now() >= begun + 60_000, 100);
  expect(market.asked.length - asked).toBeLessThan(90);
});

test('fresh is what was answered just now, in each round; confirmed what is 11 s older, with each walk', async () => {
  const listed = book(100);
  const { until, spans, freshAt } = await poll({
    answer: answers((asked) => pageV2(listed, asked, 50)),
  });
  await until(() => spans.length > 5, 100);
  expect(freshAt).toEqual(expect.arrayContaining(spans.map((span) => span.until + LAG)));
  const steps = freshAt.slice(1).map((at, i) => at - (freshAt[i] as number));
  expect(Math.max(...steps)).toBeLessThan(1_500);
});

test('a list that ends before what is wanted confirms only from its oldest trade on', async () => {
  const listed = book(100);
  const { until, spans } = await poll({
    wantedFrom: START - 86_400_000,
    answer: answers((asked) => pageV2(listed, asked)),
  });
  await until(() => spans.length > 0);
  expect(spans[0]).toEqual({ from: START - 99_000, until: START - LAG });
});

test.each<[string, unknown]>([
  ['an empty page', { data: [], pagination: { has_more: false, next_cursor: null } }],
  ['a page of a few rows that are none', { data: [null, {}], pagination: {} }],
])(
  '%s after a stop is no answer: nothing is confirmed, and what was missed is still taken',
  async (_name, nothing) => {
    const listed = Array.from({ length: 80 }, (_, i) => booked(SECOND - i * 3_600));
    let isEmpty = true;
    const { until, spans, failures, enqueued } = await poll({
      wantedFrom: START - 3 * 86_400_000,
      answer: answers((asked) => (isEmpty ? nothing : pageV2(listed, asked))),
    });
    await until(() => failures.length > 2 || spans.length > 0, 200);
    expect([spans, failures[0]]).toEqual([[], 'failing']);
    isEmpty = false;
    await until(() => spans.length > 0, 200);
    // And what two hours before the stop was listed late.
    expect(enqueued()).toEqual(hashes(listed.slice(0, 75).toReversed()));
  },
);
