import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Asked } from '../../../../support/polymarket/small-market.ts';
import { type BookedTrade, booked, freshStatus, pageV2 } from '../../../../support/polymarket/trade-book.ts';
import { answers, book, poll, SECOND, START } from './trade-poll-fixture.ts';

test('a clock that is set back an hour during a round puts off neither the next round nor the next sweep', async () => {
  const listed = book(10);
  const { until, spans, shift, market } = await poll({
    answer: answers((asked) => pageV2(listed, asked)),
  });
  await until(() => spans.length > 2, 100);
  const before = market.asked.length;
  market.answer = answers((asked) => {
    shift.ms = -3_600_000;
    return pageV2(listed, asked);
  });
  await until(() => spans.length > 6, 100);
  expect(market.asked.length - before).toBeGreaterThan(3);
});

test('a trade that is dated an hour ahead does not confirm what a stalled market has not shown', async () => {
  const listed = [booked(SECOND + 3_500), ...book(600)];
  const { until, spans, failures } = await poll({
    wantedFrom: START - 600_000,
    answer: answers((asked) => pageV2(listed, asked), { data: null }),
  });
  await until(() => failures.length > 20, 200);
  expect(new Set(failures)).toEqual(new Set(['stalled']));
  expect(Math.max(...spans.map((span) => span.until))).toBeLessThanOrEqual(START + 30_000);
});

/** Pages of what is listed, with this `Age`. */
const aged =
  (listed: readonly BookedTrade[], ageOf: () => string | null) =>
  (asked: Asked, response: ServerResponse): void => {
    const age = ageOf();
    const body = asked.path === '/v2/trades' ? pageV2(listed, asked, 50) : freshStatus;
    response.writeHead(200, age === null ? {} : { age }).end(JSON.stringify(body));
  };

test('an Age that lasts makes no walk longer and holds no trade back; what was not confirmed is listed again when it ends', async () => {
  const listed = book(400);
  let age: string | null = null;
  const { until, spans, offers, enqueued, market, trades, clock } = await poll({
    answer(asked, response) {
      while (Number(listed[0]?.timestamp) < Math.floor(clock.now() / 1_000))
        listed.unshift(booked(Number(listed[0]?.timestamp) + 1));
      aged(listed, () => age)(asked, response);
    },
  });
  await until(() => spans.length > 2, 250);
  age = '999999999';
  const { confirmedUntil } = trades.status();
  const confirmed = spans.length;
  for (let minute = 1; minute <= 6; minute += 1) {
    const asked = market.asked.length;
    await until(() => clock.now() >= START + minute * 60_000, 250);
    // Two pages a round, and those of a sweep now and then.
    expect(market.asked.length - asked).toBeLessThan(150);
    expect(clock.now() - (offers.at(-1)?.at(-1)?.at as number)).toBeLessThan(5_000);
    expect(trades.status()).toMatchObject({ state: 'live', confirmedUntil });
  }
  expect(spans).toHaveLength(confirmed);

  // Listed late, within the window that nothing has confirmed.
  const late = booked(SECOND + 120);
  listed.splice(
    listed.findIndex(({ timestamp }) => timestamp === SECOND + 120),
    0,
    late,
  );
  age = null;
  await until(() => spans.length > confirmed, 100);
  expect(spans[confirmed]?.from).toBeLessThanOrEqual(confirmedUntil as number);
  expect(enqueued()).toContain(late.transactionHash);
});

test('a host whose clock is ahead confirms nothing that is later than the market’s own time', async () => {
  const behindMs = 40_000;
  const marketAt = START - behindMs;
  const listed = Array.from({ length: 100 }, (_, i) => booked(marketAt / 1_000 - i));
  const { until, freshAt, spans, clock } = await poll({
    answer: (asked, response) => {
      const body = asked.path === '/v2/trades' ? pageV2(listed, asked) : freshStatus;
      const date = new Date(clock.now() - behindMs).toUTCString();
      response.writeHead(200, { date }).end(JSON.stringify(body));
    },
  });
  await until(() => freshAt.length > 5, 100);
  const marketNow = clock.now() - behindMs;
  expect(Math.max(...freshAt, ...spans.map((span) => span.until))).toBeLessThanOrEqual(marketNow + 1_000);
});
