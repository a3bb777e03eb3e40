import { beforeEach, describe, expect, test } from 'vitest';
import type { Candidate } from '../../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/duration.ts';
import type { ObservedMarket } from '../../../src/core/observations/observation-store.ts';
import { type ComposedHour, Observer } from '../../../src/core/observations/observer.ts';
import type { Market } from '../../../src/core/trade.ts';
import { marketRow } from '../../support/rows.ts';
import { fillOf, HOUR_0, orderOf } from './observation-fixture.ts';

const UNKNOWN = { eventSlug: null, eventTitle: null, isSettled: false };

let observer: Observer;
beforeEach(() => {
  observer = new Observer();
});

type Given = Parameters<typeof fillOf>[0];

function orders(...given: Given[]): void {
  for (const each of given) observer.order(orderOf({ role: 'taker', ...each }), 'fresh');
}

function alertAt(
  tradedAt: number,
  { key = `w:${tradedAt}`, closedAt = tradedAt, marketId = '0xm1' } = {},
): void {
  const candidate = { key, marketId, eventTitle: 'Will it?', eventSlug: 'will-it', category: 'politics' };
  observer.alert(candidate as Candidate, { tradedAt, closedAt, detectedAt: closedAt }, UNKNOWN);
}

const taken = () => observer.takeHours(1_000).toSorted((a, b) => a.hour - b.hour);
const parsed = (hours: readonly ComposedHour[]) =>
  hours.map(({ hour, text }) => ({ hour: (hour - HOUR_0) / HOUR_MS, ...JSON.parse(text) }));
const market = (): ObservedMarket | undefined => observer.takeMarkets(10)[0];
const settled = (given: Partial<Market> = {}) =>
  (marketRow({ payouts: [1, 0], ...given }) as { readonly market: Market }).market;

describe('the hours of an observed market', () => {
  test('have a bar for each minute with an order: prices, shares, USDC and counts on the scale of the base outcome', () => {
    orders(
      { wallet: '0xa', price: 0.4, shares: 10 },
      { wallet: '0xb', price: 0.7, shares: 20, asset: '1002', at: HOUR_0 + 59_000 },
      { wallet: '0xc', price: 0.5, shares: 30, at: HOUR_0 + 30_000, side: 'SELL', role: null },
      { wallet: '0xd', price: 0.41, shares: 1, at: HOUR_0 + 61 * MINUTE_MS },
      { wallet: '0xe', price: 0.9, shares: 1_000, role: 'maker' },
    );
    alertAt(HOUR_0 + HOUR_MS);
    expect(parsed(taken())).toEqual([
      { hour: 0, bars: [[0, 0.4, 0.3, 0.3, 0.5, 60, 33, 3, 1, 1, 2 + 4]], buys: [] },
      { hour: 1, bars: [[1, 0.41, 0.41, 0.41, 0.41, 1, 0.41, 1, 0, 0, 0]], buys: [] },
    ]);
  });

  test('list every buy of 250 USDC or more but those of makers, sorted by second, wallet and outcome', () => {
    const at = HOUR_0 + 7_000;
    orders(
      { wallet: '0xa', usdc: 249.999999, at },
      { wallet: '0xb', usdc: 300, side: 'SELL', at },
      { wallet: '0xc', usdc: 300, role: 'maker', at },
      { wallet: '0xd', usdc: 300, asset: '1002', price: 0.25, role: null, at },
      { wallet: '0xd', usdc: 250, at },
      { wallet: '0xe', usdc: 400, at: HOUR_0 },
    );
    alertAt(at);
    expect(parsed(taken())[0]?.buys).toEqual([
      [0, '0xe', 0, 0.5, 800, 400, 'taker', 'fresh'],
      [7, '0xd', 0, 0.5, 500, 250, 'taker', 'fresh'],
      [7, '0xd', 1, 0.25, 1_200, 300, null, 'fresh'],
    ]);
  });

  test('of an order are those that it stands for after late fills and removed ones', () => {
    orders({ wallet: '0xa', shares: 600 });
    alertAt(HOUR_0);
    expect(parsed(taken())).toMatchObject([{ buys: [[0, '0xa', 0, 0.5, 600, 300, 'taker', 'fresh']] }]);
    orders({ wallet: '0xa', shares: 200, price: 0.7 });
    expect(parsed(taken())).toMatchObject([{ bars: [[0, 0.55, 0.55, 0.55, 0.55, 800, 440, 1, 0, 0, 0]] }]);
    observer.removed(fillOf({ wallet: '0xa', shares: 500 }));
    expect(parsed(taken())[0]).toMatchObject({ buys: [] });
    observer.removed(fillOf({ wallet: '0xa', shares: 300, price: 0.63 }));
    expect(parsed(taken())).toEqual([{ hour: 0, bars: [], buys: [] }]);
    expect(taken()).toEqual([]);
  });

  test('are by the minute from 24 h before an alert to 48 h after it, whole hours, then one bar each until it is settled', () => {
    const hour = (n: number) => ({ at: HOUR_0 + n * HOUR_MS + 90_000, wallet: `0x${n}` });
    orders(hour(-25), hour(-24), hour(0));
    alertAt(HOUR_0 + 90_000);
    expect(market()?.spans).toEqual([{ from: HOUR_0 - DAY_MS, until: HOUR_0 + 49 * HOUR_MS }]);
    orders(hour(48), hour(49), hour(80));
    observer.market(settled(), HOUR_0 + 80 * HOUR_MS);
    orders(hour(81));
    expect(parsed(taken()).map((each) => [each.hour, each.bars[0][0]])).toEqual([
      [-24, 1],
      [0, 1],
      [48, 1],
      [49, null],
      [80, null],
    ]);
  });

  test('become minutes again when a later alert looks back on them; spans that overlap or touch are one', () => {
    orders({ wallet: '0xa' });
    alertAt(HOUR_0);
    orders({ wallet: '0xb', at: HOUR_0 + 90 * HOUR_MS });
    orders({ wallet: '0xc', at: HOUR_0 + 100 * HOUR_MS });
    expect(parsed(taken()).map(({ bars }) => bars[0][0])).toEqual([0, null, null]);
    alertAt(HOUR_0 + 100 * HOUR_MS);
    expect(parsed(taken()).map(({ bars }) => bars[0][0])).toEqual([0, 0]);
    expect(market()?.spans).toHaveLength(2);
    alertAt(HOUR_0 + 72 * HOUR_MS);
    expect(market()?.spans).toEqual([{ from: HOUR_0 - DAY_MS, until: HOUR_0 + 148 * HOUR_MS }]);
  });

  test('of an alert found late reach to 48 h after it was found', () => {
    orders({ wallet: '0xa' });
    alertAt(HOUR_0, { closedAt: HOUR_0 + 20 * HOUR_MS });
    expect(market()?.spans).toEqual([{ from: HOUR_0 - DAY_MS, until: HOUR_0 + 68 * HOUR_MS }]);
  });

  test('are composed before their rows leave the memory, whenever they are taken', () => {
    observer = new Observer({ segmentRows: 2, rows: 4, largeBuys: 100 });
    orders({ wallet: '0xa', shares: 5 });
    alertAt(HOUR_0);
    for (let n = 1; n < 20; n++) orders({ wallet: `0x${n}`, marketId: '0xm2', at: HOUR_0 + n * SECOND_MS });
    expect(parsed(taken())).toMatchObject([{ hour: 0, bars: [[0, 0.5, 0.5, 0.5, 0.5, 5, 2.5, 1, 0, 0, 0]] }]);
  });

  test('of which less is remembered than when they were composed are kept and counted', () => {
    observer = new Observer({ segmentRows: 2, rows: 4, largeBuys: 100 });
    orders({ wallet: '0xa', shares: 5 });
    alertAt(HOUR_0);
    for (let n = 1; n < 20; n++) orders({ wallet: `0x${n}`, marketId: '0xm2', at: HOUR_0 + n * SECOND_MS });
    orders({ wallet: '0xlate', shares: 7, at: HOUR_0 + 19 * SECOND_MS });
    expect(parsed(taken())).toMatchObject([{ bars: [[0, 0.5, 0.5, 0.5, 0.5, 5, 2.5, 1, 0, 0, 0]] }]);
    expect(observer.retained).toBe(1);
  });

  test('before which the memory begins say from which second they are complete', () => {
    orders({ wallet: '0xa', at: HOUR_0 + 65_000 }, { wallet: '0xb', at: HOUR_0 + HOUR_MS });
    alertAt(HOUR_0 + HOUR_MS);
    expect(parsed(taken())).toMatchObject([{ hour: 0, from: 65 }, { hour: 1 }]);
    expect(market()?.completeFrom).toBe(HOUR_0 + 65_000);
    orders({ wallet: '0xc', at: HOUR_0 - HOUR_MS });
    expect(parsed(taken())).toMatchObject([{ hour: -1, from: 3_600 }]);
  });

  test('stay on the scale of the stored base outcome, though the memory restarted with the other one', () => {
    orders({ wallet: '0xa', asset: '1001', price: 0.4 });
    alertAt(HOUR_0);
    const stored = market() as ObservedMarket;
    observer = new Observer();
    observer.load(stored);
    orders({ wallet: '0xb', asset: '1002', price: 0.7, usdc: 300 });
    expect(parsed(taken())).toMatchObject([
      {
        bars: [[0, 0.3, 0.3, 0.3, 0.3, 428.571429, 300, 1, 1, 0, 15]],
        buys: [[0, '0xb', 1, 0.7, 428.571429, 300, 'taker', 'fresh']],
      },
    ]);
  });
});

describe('an observed market', () => {
  test('has the names of its alert and of its own row, the outcomes of its orders, and when it was settled first', () => {
    orders({ asset: '1002', outcome: '', title: '', outcomeIndex: 999, wallet: '0xa' });
    alertAt(HOUR_0);
    expect(market()).toMatchObject({
      marketId: '0xm1',
      baseAsset: '1002',
      baseOutcome: '',
      otherAsset: null,
      question: 'Will it?',
      slug: 'will-it',
      eventSlug: null,
      eventTitle: null,
      settledAt: null,
      isOpen: true,
    });
    orders(
      { asset: '1002', outcome: 'No', outcomeIndex: 1, wallet: '0xb', eventSlug: 'votes' },
      { asset: '1001', wallet: '0xc' },
    );
    observer.market(settled({ eventTitle: 'Votes', question: 'Does it?' }), HOUR_0 + 5);
    observer.market(settled({ payouts: [0, 1], question: 'Does it?' }), HOUR_0 + 9);
    expect(market()).toMatchObject({
      baseOutcome: 'No',
      baseOutcomeIndex: 1,
      otherAsset: '1001',
      question: 'Does it?',
      eventSlug: 'votes',
      eventTitle: 'Votes',
      settledAt: HOUR_0 + 5,
    });
    expect(market()).toBeUndefined();
  });

  test('keeps the category of its alert where its own row says no tags', () => {
    orders({ wallet: '0xa' });
    alertAt(HOUR_0);
    observer.market(settled({ tags: null, category: 'other' }), HOUR_0);
    expect(market()).toMatchObject({ category: 'politics', settledAt: HOUR_0 });
    observer.market(settled({ tags: ['crypto'], category: 'crypto' }), HOUR_0);
    expect(market()).toMatchObject({ category: 'crypto' });
  });

  test('keeps each alert once; the same again has its hours written again', () => {
    orders({ wallet: '0xa' });
    alertAt(HOUR_0, { key: 'one' });
    alertAt(HOUR_0, { key: 'two' });
    const [hours, stored] = [taken(), market()];
    alertAt(HOUR_0, { key: 'one' });
    expect(market()).toBeUndefined();
    expect(stored?.alerts.map(({ key }) => key)).toEqual(['one', 'two']);
    expect(taken()).toEqual(hours);
  });

  test('is incomplete where a later alert looks back further than the memory and the alerts before it', () => {
    observer = new Observer({ segmentRows: 2, rows: 4, largeBuys: 100 });
    orders({ wallet: '0xa', at: HOUR_0 - 30 * HOUR_MS });
    alertAt(HOUR_0);
    expect(market()?.completeFrom).toBe(HOUR_0 - 30 * HOUR_MS);
    for (let n = 0; n < 6; n++) orders({ wallet: `0x${n}`, at: HOUR_0 + n * HOUR_MS });
    alertAt(HOUR_0 + HOUR_MS);
    expect(market()?.completeFrom).toBe(HOUR_0 - 30 * HOUR_MS);
    alertAt(HOUR_0 - 5 * HOUR_MS, { closedAt: HOUR_0 + 6 * HOUR_MS });
    expect(market()?.completeFrom).toBe(HOUR_0 - DAY_MS);
  });

  test('is over once it is settled, its last span has passed and no late order can come; until then it is open', () => {
    orders({ wallet: '0xa' });
    alertAt(HOUR_0);
    observer.advance(HOUR_0 + 500 * HOUR_MS);
    expect(observer.takeClosed(10)).toEqual([]);
    observer.market(settled(), HOUR_0 + 500 * HOUR_MS);
    observer.advance(HOUR_0 + 523 * HOUR_MS);
    expect(observer.takeClosed(10)).toEqual([]);
    observer.advance(HOUR_0 + 524 * HOUR_MS);
    expect(market()).toMatchObject({ isOpen: true });
    expect(observer.takeClosed(10)).toMatchObject([{ isOpen: false, settledAt: HOUR_0 + 500 * HOUR_MS }]);
    expect(observer.isObserved('0xm1')).toBe(false);
  });

  test('that alerts again before it is written as closed stays open', () => {
    orders({ wallet: '0xa' });
    alertAt(HOUR_0);
    observer.market(settled(), HOUR_0);
    observer.advance(HOUR_0 + 200 * HOUR_MS);
    orders({ wallet: '0xb', at: HOUR_0 + 200 * HOUR_MS });
    alertAt(HOUR_0 + 200 * HOUR_MS);
    expect(observer.takeClosed(10)).toEqual([]);
    expect(market()).toMatchObject({ isOpen: true, alerts: [{}, {}] });
  });

  test('whose outcome was known before its alert is settled from the beginning', () => {
    orders({ wallet: '0xa' });
    const candidate = { key: 'k', marketId: '0xm1' } as Candidate;
    const moment = { tradedAt: HOUR_0, closedAt: HOUR_0 + 3, detectedAt: HOUR_0 + 9 };
    observer.alert(candidate, moment, { eventSlug: 'e', eventTitle: 'E', isSettled: true });
    expect(market()).toMatchObject({
      settledAt: HOUR_0 + 3,
      eventSlug: 'e',
      eventTitle: 'E',
      alerts: [{ key: 'k', tradedAt: HOUR_0, detectedAt: HOUR_0 + 9 }],
    });
  });
});

test('orders of markets without an alert are remembered and nothing is written', () => {
  orders({ wallet: '0xa' });
  observer.removed(fillOf({ wallet: '0xa', shares: 1 }));
  observer.advance(HOUR_0 + 1);
  expect([taken(), market(), observer.memory.use.rows]).toEqual([[], undefined, 1]);
});
