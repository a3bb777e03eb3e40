import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../../src/core/base/time/duration.ts';
import type { Candidate } from '../../../../src/core/detection/candidate.ts';
import { Observer } from '../../../../src/core/record/observations/observer.ts';
import { fillOf, HOUR_0 } from './observation-fixture.ts';
import { alertAt, market, orders, settled, taken } from './observer-fixture.ts';

let observer: Observer;
beforeEach(() => {
  observer = new Observer();
});

describe('an observed market', () => {
  test('has the names of its alert and of its own row, the outcomes of its orders, and when it was settled first', () => {
    orders(observer, { asset: '1002', outcome: '', title: '', outcomeIndex: 999, wallet: '0xa' });
    alertAt(observer, HOUR_0);
    expect(market(observer)).toMatchObject({
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
      observer,
      { asset: '1002', outcome: 'No', outcomeIndex: 1, wallet: '0xb', eventSlug: 'votes' },
      { asset: '1001', wallet: '0xc' },
    );
    observer.market(settled({ eventTitle: 'Votes', question: 'Does it?' }), HOUR_0 + 5);
    observer.market(settled({ payouts: [0, 1], question: 'Does it?', endsAt: HOUR_0 + 8 }), HOUR_0 + 9);
    expect(market(observer)).toMatchObject({
      baseOutcome: 'No',
      baseOutcomeIndex: 1,
      otherAsset: '1001',
      question: 'Does it?',
      eventSlug: 'votes',
      eventTitle: 'Votes',
      endsAt: HOUR_0 + 8,
      settledAt: HOUR_0 + 5,
    });
    expect(market(observer)).toBeUndefined();
  });

  test('keeps each alert once; the same again has its hours written again', () => {
    orders(observer, { wallet: '0xa' });
    alertAt(observer, HOUR_0, { key: 'one' });
    alertAt(observer, HOUR_0, { key: 'two' });
    const [hours, stored] = [taken(observer), market(observer)];
    alertAt(observer, HOUR_0, { key: 'one' });
    expect(market(observer)).toBeUndefined();
    expect(stored?.alerts.map(({ key }) => key)).toEqual(['one', 'two']);
    expect(taken(observer)).toEqual(hours);
  });

  test('is over once it is settled, its last span has passed and no late order can come; until then it is open', () => {
    orders(observer, { wallet: '0xa' });
    alertAt(observer, HOUR_0);
    observer.advance(HOUR_0 + 500 * HOUR_MS);
    expect(observer.takeClosed(10)).toEqual([]);
    observer.market(settled(), HOUR_0 + 500 * HOUR_MS);
    observer.advance(HOUR_0 + 523 * HOUR_MS);
    expect(observer.takeClosed(10)).toEqual([]);
    observer.advance(HOUR_0 + 524 * HOUR_MS);
    expect(market(observer)).toMatchObject({ isOpen: true });
    expect(observer.takeClosed(10)).toMatchObject([{ isOpen: false, settledAt: HOUR_0 + 500 * HOUR_MS }]);
    expect(observer.isObserved('0xm1')).toBe(false);
  });

  test('that alerts again before it is written as closed stays open', () => {
    orders(observer, { wallet: '0xa' });
    alertAt(observer, HOUR_0);
    observer.market(settled(), HOUR_0);
    observer.advance(HOUR_0 + 200 * HOUR_MS);
    orders(observer, { wallet: '0xb', at: HOUR_0 + 200 * HOUR_MS });
    alertAt(observer, HOUR_0 + 200 * HOUR_MS);
    expect(observer.takeClosed(10)).toEqual([]);
    expect(market(observer)).toMatchObject({ isOpen: true, alerts: [{}, {}] });
  });

  test('whose outcome was known before its alert is settled from the beginning', () => {
    orders(observer, { wallet: '0xa' });
    const candidate = { key: 'k', marketId: '0xm1' } as Candidate;
    const moment = { tradedAt: HOUR_0, closedAt: HOUR_0 + 3, detectedAt: HOUR_0 + 9 };
    observer.alert(candidate, moment, {
      ...{ eventSlug: 'e', eventTitle: 'E', endsAt: 7, isSettled: true },
      tags: ['b', 'a'],
    });
    expect(market(observer)).toMatchObject({
      settledAt: HOUR_0 + 3,
      eventSlug: 'e',
      eventTitle: 'E',
      endsAt: 7,
      tags: ['a', 'b'],
      alerts: [{ key: 'k', tradedAt: HOUR_0, detectedAt: HOUR_0 + 9 }],
    });
  });
});

test('orders of markets without an alert are remembered and nothing is written', () => {
  orders(observer, { wallet: '0xa' });
  observer.removed(fillOf({ wallet: '0xa', shares: 1 }));
  observer.advance(HOUR_0 + 1);
  expect([taken(observer), market(observer), observer.memory.use.rows]).toEqual([[], undefined, 1]);
});
