import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { fillKey } from '../../../../src/core/detection/fill-hash.ts';
import type { BlindCause, TimeRange } from '../../../../src/core/feed-health/blind-window.ts';
import type { Trade } from '../../../../src/core/trade.ts';
import { HttpMarketClient } from '../../../../src/infra/polymarket/client/http-market-client.ts';
import { MarketClock } from '../../../../src/infra/polymarket/client/market-clock.ts';
import { RequestBudget } from '../../../../src/infra/polymarket/client/request-budget.ts';
import { TradePoll } from '../../../../src/infra/polymarket/trades/trade-poll.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { type Asked, type SmallMarket, startSmallMarket } from '../../../support/polymarket/small-market.ts';
import { type BookedTrade, booked, freshStatus, pageV2 } from '../../../support/polymarket/trade-book.ts';
import { seededRandom } from '../../../support/random.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const START = Date.UTC(2026, 10, 20, 12);
const SECOND = START / 1_000;
/** How far the list lags behind the market at most: nothing newer is confirmed. */
const LAG = 11_000;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Given {
  readonly answer: SmallMarket['answer'];
  readonly wantedFrom?: number | null;
  readonly startAt?: number;
}

async function poll({ answer, wantedFrom = START - 60_000, startAt = START }: Given) {
  const market = await startSmallMarket(answer);
  const steady = createFakeClock(startAt);
  /** By how much the clock was set ahead. */
  const shift = { ms: 0 };
  const clock = { ...steady, now: () => steady.now() + shift.ms };
  const logger = createRecordingLogger();
  const marketClock = new MarketClock({ clock, logger, metrics: noMetrics });
  const client = new HttpMarketClient({
    marketClock,
    market: { dataUrl: market.url, gammaUrl: market.url },
    budget: new RequestBudget(clock),
    clock,
    metrics: noMetrics,
  });
  const known = new Set<string>();
  const offers: Trade[][] = [];
  const spans: TimeRange[] = [];
  const freshAt: number[] = [];
  const failures: BlindCause[] = [];
  const drops: string[] = [];
  const listings: string[] = [];
  const trades = new TradePoll({
    client,
    clock: marketClock,
    random: seededRandom(1),
    logger,
    metrics: noMetrics,
    wantedFrom: () => (wantedFrom === null ? null : marketClock.fromHost(wantedFrom)),
    unlistedSince: () => null,
    onDrop: (reason) => void drops.push(reason),
    onPage: () => {},
    onListed: ({ transaction }) => void listings.push(transaction),
    knows: (trade) => known.has(fillKey(trade)),
    async enqueue(rows) {
      const given = rows.flatMap(({ row }) => (row.kind === 'trade' ? [row.trade] : []));
      for (const trade of given) known.add(fillKey(trade));
      offers.push(given);
    },
    fresh: (at) => void freshAt.push(at),
    confirmed: (span) => void spans.push(span),
    failed: (cause) => void failures.push(cause),
  });
  const over = new AbortController();
  const run = trades.run(over.signal);
  ends.push(
    market.close,
    () => client.close(),
    async () => {
      over.abort();
      await run;
    },
  );
  /** Lets real answers come, and time pass in between, until the condition holds. */
  async function until(holds: () => boolean, stepMs = 0) {
    for (let i = 0; !holds(); i++) {
      if (i > 20_000) throw new Error('it never came to that');
      if (stepMs > 0 && i % 4 === 3) await clock.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const enqueued = () => offers.flat().map(({ transaction }) => transaction);
  return {
    market,
    clock,
    shift,
    trades,
    offers,
    enqueued,
    spans,
    freshAt,
    failures,
    drops,
    listings,
    logger,
    until,
    known,
    over,
    run,
  };
}

/** Newest first, one a second, the newest at the start. */
const book = (length: number, change: Record<string, unknown> = {}): BookedTrade[] =>
  Array.from({ length }, (_, index) => booked(SECOND - index, change));
const hashes = (rows: readonly BookedTrade[]) => rows.map(({ transactionHash }) => transactionHash);

test('the first round enqueues immediately all that is listed from the wanted time, oldest first, and confirms it', async () => {
  const listed = book(300);
  const { until, spans, offers, enqueued } = await poll({
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked, 50) : freshStatus),
  });
  await until(() => spans.length > 0);
  expect(offers).toHaveLength(1);
  expect(enqueued()).toEqual(hashes(listed.slice(0, 121).toReversed()));
  expect(spans[0]).toEqual({ from: START - 120_000, until: START - LAG });
});

test('what is added later is offered by the next round, and nothing twice', async () => {
  const listed = book(100);
  const { until, spans, offers, clock } = await poll({
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked, 50) : freshStatus),
  });
  await until(() => spans.length > 0);
  const added = [booked(SECOND + 1), booked(SECOND)];
  listed.unshift(...added);
  await clock.asleep(1);
  await until(() => offers.length > 1, 100);
  expect(offers[1]?.map(({ transaction }) => transaction)).toEqual(hashes(added.toReversed()));
  await until(() => spans.length > 4, 100);
  expect(offers).toHaveLength(2);
});

test('each trade that a page lists is reported, known or not, as far back as the walk looks', async () => {
  const listed = book(100);
  const { until, spans, listings, enqueued, clock } = await poll({
    wantedFrom: START - 10_000,
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked, 200) : freshStatus),
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
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked) : freshStatus),
  });
  await until(() => spans.length > 0);
  expect(enqueued()).toEqual(hashes(listed.slice(0, 2).toReversed()));
});

const answers =
  (
    lists: (asked: Asked, response: ServerResponse) => unknown,
    status: unknown = freshStatus,
  ): SmallMarket['answer'] =>
  (asked, response): unknown =>
    asked.path.endsWith('/trades') ? lists(asked, response) : status;

test('rows added while a walk goes back are neither missed nor offered twice', async () => {
  const listed = book(50);
  const { until, spans, enqueued } = await poll({
    answer: answers((asked) => {
      const page = pageV2(listed, asked, 20);
      listed.unshift(booked(SECOND + 1), booked(SECOND + 1), booked(SECOND + 1));
      return page;
    }),
  });
  await until(() => spans.length > 3, 100);
  const all = hashes(listed.slice(4)).filter((hash) => enqueued().includes(hash));
  expect(new Set(enqueued()).size).toBe(enqueued().length);
  expect(hashes(listed.slice(-50)).every((hash) => all.includes(hash))).toBe(true);
});

/** Two orders of one wallet, swept in one transaction. */
const ladder = () => {
  const [dear, cheap] = [booked(SECOND, { price: 0.31 }), booked(SECOND, { price: 0.3 })];
  const { price, ...order } = dear;
  return [dear, { ...order, price: cheap['price'] }] as const;
};
const ordinals = (offers: readonly (readonly Trade[])[]) =>
  offers.flat().flatMap(({ price, ordinal }) => (price === 0.5 ? [] : [[price, ordinal]]));

test('equal rows of one page are as many trades, and no more however often they are listed', async () => {
  const listed = [...ladder(), ...book(20)];
  const { until, spans, offers } = await poll({ answer: answers((asked) => pageV2(listed, asked)) });
  await until(() => spans.length > 4, 100);
  expect(ordinals(offers)).toEqual([
    [0.3, 1],
    [0.31, 2],
  ]);
});

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
  ['408', 408, 'refused'],
  ['429', 429, 'refused'],
  ['500', 500, 'refused'],
  ['garbage', 200, 'refused'],
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
  expect(market.asked.length - before).toBeLessThanOrEqual(4);
});

test('a page of which no row can be read is no quiet market', async () => {
  const listed = book(30).map(({ price: _, ...rest }) => rest);
  const { until, spans, failures } = await poll({ answer: answers((asked) => pageV2(listed, asked)) });
  await until(() => failures.length > 2, 100);
  expect(spans).toEqual([]);
  expect(new Set(failures)).toEqual(new Set(['refused']));
});

test('a market that keeps answering the same page while it says it lags is stalled, and confirmed only so far', async () => {
  const listed = book(10);
  const lagging = { data: { serving: { lag_seconds: 90 }, age_seconds: 1 } };
  const { until, spans, failures, clock } = await poll({
    answer: answers((asked) => pageV2(listed, asked), lagging),
  });
  await until(() => failures.length > 3, 200);
  expect(new Set(failures)).toEqual(new Set(['stalled']));
  expect(clock.now() - START).toBeLessThan(30_000);
  expect(Math.max(...spans.map((span) => span.until))).toBeLessThanOrEqual(START + 16_000 - LAG);
});

test('without word from the market a busy one that falls silent is stalled after 25 s', async () => {
  const listed = book(600);
  const { until, spans, failures, clock } = await poll({
    wantedFrom: START - 600_000,
    answer: answers((asked) => pageV2(listed, asked), { data: null }),
  });
  await until(() => failures.length > 0, 200);
  expect(failures[0]).toBe('stalled');
  expect(clock.now() - START).toBeGreaterThan(25_000);
  expect(clock.now() - START).toBeLessThan(30_000);
  expect(Math.max(...spans.map((span) => span.until))).toBeLessThanOrEqual(START + 21_000);
});

test.each([
  ['that says it is fresh', freshStatus],
  ['that says nothing', { data: null }],
])('a quiet market %s is never blind: each round confirms', async (_name, status) => {
  const listed = Array.from({ length: 40 }, (_, i) => booked(SECOND - i * 90));
  const { until, spans, failures, clock } = await poll({
    wantedFrom: START - 3_600_000,
    answer: answers((asked) => pageV2(listed, asked), status),
  });
  await until(() => clock.now() > START + 90_000, 250);
  expect(failures).toEqual([]);
  const gaps = spans.slice(1).map((span, i) => span.until - (spans[i]?.until as number));
  expect(Math.max(...gaps)).toBeLessThan(3_000);
});

test.each([
  ['10 minutes late is found by a sweep within 5 minutes', 600, 5 * 60_000],
  ['an hour late is found by a sweep within an hour', 3_500, 60 * 60_000],
])('what is listed %s', async (_name, agoSeconds, withinMs) => {
  const listed = Array.from({ length: 300 }, (_, i) => booked(SECOND - i * 30));
  const { until, spans, enqueued, trades, clock } = await poll({
    wantedFrom: START - 7_000_000,
    answer: answers((asked) => pageV2(listed, asked, 50)),
  });
  await until(() => spans.length > 2, 50);
  const late = booked(SECOND - agoSeconds);
  listed.splice(Math.ceil(agoSeconds / 30), 0, late);
  await until(() => enqueued().includes(late.transactionHash), 5_000);
  expect(clock.now() - START).toBeLessThan(withinMs + 10_000);
  expect(trades.status().state).toBe('live');
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
  // A page a round, and two more now and then.
  const [asked, begun] = [market.asked.length, clock.now()];
  await until(() => clock.now() >= begun + 60_000, 100);
  expect(market.asked.length - asked).toBeLessThan(80);
});

test('fresh is what was answered just now, confirmed what is 11 s older, in each round', async () => {
  const listed = book(100);
  const { until, spans, freshAt } = await poll({
    answer: answers((asked) => pageV2(listed, asked, 50)),
  });
  await until(() => spans.length > 5, 100);
  expect(spans.map((span) => span.until + LAG)).toEqual(freshAt.slice(0, spans.length));
  const steps = freshAt.slice(1).map((at, i) => at - (freshAt[i] as number));
  expect(Math.max(...steps)).toBeLessThan(1_500);
});

test('a market whose new trades are all old by the time they are listed is stalled, not live', async () => {
  const listed = book(10);
  const lagging = { data: { serving: { lag_seconds: 600 }, age_seconds: 1 } };
  const { until, failures, clock } = await poll({
    wantedFrom: START - 1_200_000,
    answer: answers((asked) => {
      listed.unshift(booked(Math.floor(clock.now() / 1_000) - 600));
      return pageV2(listed, asked);
    }, lagging),
  });
  await until(() => failures.length > 0, 200);
  expect(failures[0]).toBe('stalled');
  expect(clock.now() - START).toBeLessThan(30_000);
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

test('a list that ends before what is wanted confirms only from its oldest trade on', async () => {
  const listed = book(100);
  const { until, spans } = await poll({
    wantedFrom: START - 86_400_000,
    answer: answers((asked) => pageV2(listed, asked)),
  });
  await until(() => spans.length > 0);
  expect(spans[0]).toEqual({ from: START - 99_000, until: START - LAG });
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

test('a round continues past its floor while pages bring something new', async () => {
  const listed = book(100);
  const { until, spans, offers } = await poll({ answer: answers((asked) => pageV2(listed, asked, 14)) });
  await until(() => spans.length > 0);
  const late = [booked(SECOND - 8), booked(SECOND - 14)];
  listed.splice(8, 0, late[0] as BookedTrade);
  listed.splice(15, 0, late[1] as BookedTrade);
  await until(() => offers.length > 1, 50);
  expect(offers[1]?.map(({ transaction }) => transaction)).toEqual(hashes(late.toReversed()));
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
    expect([spans, failures[0]]).toEqual([[], 'refused']);
    isEmpty = false;
    await until(() => spans.length > 0, 200);
    // And what two hours before the stop was listed late.
    expect(enqueued()).toEqual(hashes(listed.slice(0, 75).toReversed()));
  },
);

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

test('an answer from a cache confirms only up to its age, takes nothing back, and makes no walk longer, however old it claims to be', async () => {
  const listed = book(100);
  let age: string | null = null;
  const { until, spans, failures, market, trades } = await poll({
    answer: (asked, response) => {
      const body = asked.path === '/v2/trades' ? pageV2(listed, asked, 50) : freshStatus;
      response.writeHead(200, age === null ? {} : { age }).end(JSON.stringify(body));
    },
  });
  await until(() => spans.length > 2, 100);
  expect(failures).toEqual([]);

  age = '2';
  const fresh = spans.length;
  await until(() => spans.length > fresh + 4, 100);
  const lastBut = trades.status().confirmedUntil as number;
  expect(spans.at(-1)?.until).toBe(lastBut);
  expect(new Set(failures)).toEqual(new Set(['stalled']));

  age = '999999999';
  const confirmed = spans.length;
  const [failed, asked] = [failures.length, market.asked.length];
  await until(() => failures.length > failed + 3, 100);
  expect(spans).toHaveLength(confirmed);
  expect(trades.status()).toMatchObject({ state: 'live', confirmedUntil: lastBut });
  expect(market.asked.length - asked).toBeLessThanOrEqual(10);
});

test('an Age that lasts makes no walk longer and holds no trade back; what was not confirmed is listed again when it ends', async () => {
  const listed = book(400);
  let age: string | null = null;
  const { until, spans, offers, enqueued, market, trades, clock } = await poll({
    answer: (asked, response) => {
      while (Number(listed[0]?.timestamp) < Math.floor(clock.now() / 1_000))
        listed.unshift(booked(Number(listed[0]?.timestamp) + 1));
      const body = asked.path === '/v2/trades' ? pageV2(listed, asked, 50) : freshStatus;
      response.writeHead(200, age === null ? {} : { age }).end(JSON.stringify(body));
    },
  });
  await until(() => spans.length > 2, 250);
  age = '999999999';
  const { confirmedUntil } = trades.status();
  const confirmed = spans.length;

  const requests: number[] = [];
  for (let minute = 1; minute <= 15; minute += 1) {
    const asked = market.asked.length;
    await until(() => clock.now() >= START + minute * 60_000, 250);
    requests.push(market.asked.length - asked);
    const newestAt = offers.at(-1)?.at(-1)?.at as number;
    expect(clock.now() - newestAt).toBeLessThan(5_000);
    expect(trades.status()).toMatchObject({ state: 'live', confirmedUntil });
  }
  expect(spans).toHaveLength(confirmed);
  // Two pages a round, and those of a sweep now and then.
  expect(Math.max(...requests)).toBeLessThan(150);

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
  expect(clock.now() - (spans[confirmed]?.until as number)).toBeLessThan(2_000 + LAG);
  expect(enqueued()).toContain(late.transactionHash);
});

test.each([
  ['behind', 10_800_000],
  ['ahead of', -10_800_000],
  ['a minute ahead of', -60_000],
])(
  'a host whose clock is %s the market’s takes and confirms its trades in the market’s time',
  async (_name, aheadMs) => {
    const marketAt = START + aheadMs;
    const listed = Array.from({ length: 100 }, (_, i) => booked(marketAt / 1_000 - i));
    const { until, spans, failures, clock, drops, enqueued, freshAt } = await poll({
      answer: (asked, response) => {
        const body = asked.path === '/v2/trades' ? pageV2(listed, asked) : freshStatus;
        const date = new Date(clock.now() + aheadMs).toUTCString();
        response.writeHead(200, { date }).end(JSON.stringify(body));
      },
    });
    await until(() => spans.length > 5, 100);
    expect([failures, drops]).toEqual([[], []]);
    expect(enqueued()).toHaveLength(100);
    for (const moment of [freshAt.at(-1) as number, (spans.at(-1)?.until as number) + LAG])
      expect(Math.abs(clock.now() + aheadMs - moment)).toBeLessThan(3_000);
  },
);
