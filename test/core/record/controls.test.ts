import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ControlledAlert, drawControls } from '../../../src/core/record/measure-market.ts';
import type { ObservedBuy } from '../../../src/core/record/price-history.ts';
import { sha256 } from '../../../src/infra/secrets/sha256.ts';
import { alertOn, type GivenOrder, measuredAlert, recordMarket, time } from './record-market-fixture.ts';

const orderAt = time('2 06:00:30');
const controlled: ControlledAlert = {
  at: orderAt,
  outcome: 0,
  entryPrice: 0.4,
  publishedAt: orderAt,
  payout: null,
  wallets: ['0xalert', '0xmember'],
  logHash: 'log',
};

function buyOf(wallet: string, given: Partial<ObservedBuy> = {}): ObservedBuy {
  const buy = { at: orderAt, wallet, outcome: 0, price: 0.4, usdc: 250, shares: 625 } as const;
  return { ...buy, ageClass: 'not_fresh', ...given };
}

/** Ranks by the name of the wallet. */
const byWallet = (text: string) => text.split(':')[1] ?? '';

const walletsOf = (buys: readonly ObservedBuy[], hash = byWallet) =>
  drawControls(buys, controlled, { rulesHash: 'rules', sha256: hash }).map(({ wallet }) => wallet);

describe('drawing controls', () => {
  it('takes buys of other wallets of known, not fresh, age within 24 h and 10 ¢ on the scale of the alert', () => {
    const day = 86_400_000;
    const eligible = [
      buyOf('day-before', { at: orderAt - day }),
      buyOf('cheaper', { price: 0.3 }),
      buyOf('dearer', { price: 0.5 }),
      buyOf('other', { outcome: 1, price: 0.7 }),
    ];
    const excluded = [
      buyOf('0xalert'),
      buyOf('0xmember'),
      buyOf('fresh', { ageClass: 'fresh' }),
      buyOf('unknown', { ageClass: 'unknown' }),
      buyOf('too-early', { at: orderAt - day - 1_000 }),
      buyOf('too-late', { at: orderAt + day + 1_000 }),
      buyOf('too-cheap', { price: 0.299999 }),
      buyOf('too-dear', { price: 0.500001 }),
      buyOf('far-other', { outcome: 1, price: 0.4 }),
    ];
    expect(walletsOf([...excluded, ...eligible]).toSorted()).toEqual(
      eligible.map(({ wallet }) => wallet).toSorted(),
    );
  });

  it('ranks by the hash of rules hash, log hash and trade key, of which the second counts from the epoch', () => {
    const texts: string[] = [];
    const hash = (text: string) => {
      texts.push(text);
      return text;
    };
    walletsOf([buyOf('0xa', { outcome: 1, price: 0.6, at: time('2 06:01:00') })], hash);
    expect(texts).toEqual([`rules|log|${time('2 06:01:00') / 1_000}:0xa:1`]);
  });

  it('alternates between the outcomes, that of the lowest hash first, and takes the rest from the one that has more', () => {
    const other = { outcome: 1, price: 0.6 } as const;
    const yes = ['b', 'd', 'e', 'f', 'g', 'h'].map((wallet) => buyOf(wallet));
    expect(walletsOf([...yes, buyOf('a', other), buyOf('c', other)])).toEqual(['a', 'b', 'c', 'd', 'e']);
    const no = ['a', 'c', 'i', 'j'].map((wallet) => buyOf(wallet, other));
    expect(walletsOf([...yes, ...no])).toEqual(['a', 'b', 'c', 'd', 'i']);
    expect(walletsOf(yes)).toEqual(['b', 'd', 'e', 'f', 'g']);
  });

  it('takes each wallet once, with its buy of the lowest hash', () => {
    const hash = (text: string) => (text.endsWith(':1') ? '0' : '1') + byWallet(text);
    const buys = [buyOf('a'), buyOf('a', { outcome: 1, price: 0.6 }), buyOf('b')];
    const drawn = drawControls(buys, controlled, { rulesHash: '', sha256: hash });
    expect(drawn.map(({ wallet, outcome }) => [wallet, outcome])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });

  it('depends on nothing but the hashes: buys in any sequence give the same controls', () => {
    const buys = Array.from({ length: 40 }, (_, index) =>
      buyOf(`0x${index % 25}`, {
        at: orderAt + index * 1_000,
        ...(index % 3 === 0 && { outcome: 1, price: 0.6 }),
      }),
    );
    const drawn = drawControls(buys, controlled, { rulesHash: 'rules', sha256 });
    expect(drawn).toHaveLength(5);
    const shuffled = fc.shuffledSubarray(buys, { minLength: buys.length });
    fc.assert(
      fc.property(shuffled, (other) => {
        expect(drawControls(other, controlled, { rulesHash: 'rules', sha256 })).toEqual(drawn);
      }),
      { numRuns: 20 },
    );
  });
});

describe('controls of an alert', () => {
  const order: GivenOrder = { at: orderAt, price: 0.4, usdc: 2_000, wallet: '0xalert' };
  // Found 90 s after its order: the reference moment of a control is 150 s after its own.
  const alert = alertOn(order, time('2 06:02:00'));
  const known = { usdc: 300, ageClass: 'not_fresh' } as const;
  const first: GivenOrder = { at: time('2 05:00:30'), price: 0.42, wallet: '0xa', ...known };
  const second: GivenOrder = {
    at: time('2 07:00:30'),
    price: 0.62,
    wallet: '0xb',
    outcome: 1,
    ...known,
    usdc: 500,
  };
  const orders = [
    order,
    first,
    { at: time('2 05:01:00'), price: 0.39 },
    { at: time('2 05:02:00'), price: 0.43 }, // reference of the first, 05:03: with 0.39 it is 0.41
    { at: time('2 06:01:00'), price: 0.43 }, // after 1 h, 06:03: with 0.4 of the alert 0.415
    second,
    { at: time('2 07:02:00'), price: 0.39 }, // reference of the second, 07:03, of No: 0.61
    { at: time('2 08:02:00'), price: 0.35 }, // after 1 h, 08:03, of No: 0.65
    { at: time('3 05:00:00'), price: 0.5 }, // after 24 h of the first
    { at: time('3 07:00:00'), price: 0.45 }, // after 24 h of the second, of No: 0.55
  ];
  const controlsOf = (given: readonly GivenOrder[], asOf?: number) =>
    measuredAlert(recordMarket({ orders: given, alerts: [alert] }), asOf === undefined ? {} : { asOf })
      .controls;

  it('are measured as the alert, with its delay, each on the scale of its own outcome', () => {
    expect(controlsOf(orders)).toEqual({
      drawn: 2,
      measured: 2,
      sameOutcome: 1,
      meanUsdc: 400,
      drift1h: 0.0225, // 0.415 − 0.41 and 0.65 − 0.61
      drift24h: 0.015, // 0.5 − 0.41 and 0.55 − 0.61
      knownAt1h: time('3 06:00:30'),
      knownAt: time('3 07:03:00'),
    });
  });

  it('count those of the outcome that the alert bought', () => {
    const other = { ...order, outcome: 1 as const, price: 0.6 };
    const third = { ...second, wallet: '0xc', at: time('2 07:10:00') };
    const market = recordMarket({ orders: [...orders, third], alerts: [alertOn(other, time('2 06:02:00'))] });
    expect(measuredAlert(market).controls).toMatchObject({ drawn: 3, sameOutcome: 2 });
  });

  it('have no mean of fewer than 2, though all is known', () => {
    const { drawn, drift24h, knownAt } = controlsOf(orders.filter((each) => each !== second));
    expect({ drawn, drift24h, knownAt }).toEqual({ drawn: 1, drift24h: null, knownAt: time('3 06:00:30') });
  });

  it('are not drawn until 24 h after the order, and have no mean until the last of them is known', () => {
    const drawEnd = time('3 06:00:30');
    expect(controlsOf(orders, drawEnd - 1)).toMatchObject({ drawn: 0, meanUsdc: null, knownAt1h: null });
    expect(controlsOf(orders, drawEnd)).toMatchObject({ drawn: 2, drift1h: 0.0225, drift24h: null });
    expect(controlsOf(orders, time('3 07:02:59'))).toMatchObject({ drift24h: null, knownAt: null });
    expect(controlsOf(orders, time('3 07:03:00'))).toMatchObject({ drift24h: 0.015 });
  });

  it('are known, without a mean, when one waits in vain for a later order', () => {
    const third: GivenOrder = { ...first, at: time('3 06:00:00'), wallet: '0xc' };
    const given = [...orders.filter(({ at }) => at < time('2 06:30:00') || at === time('3 05:00:00')), third];
    expect(controlsOf(given, time('3 07:02:59'))).toMatchObject({ drawn: 2, measured: 1, knownAt1h: null });
    // Its reference moment would be 06:03, or until 07:03.
    const { drawn, measured, drift24h, knownAt } = controlsOf(given, time('3 07:03:00'));
    expect({ drawn, measured, drift24h, knownAt }).toEqual({
      drawn: 2,
      measured: 1,
      drift24h: null,
      knownAt: time('3 07:03:00'),
    });
  });

  it('are drawn at the settlement, from the buys before it, when that is earlier', () => {
    const settledAt = time('2 06:30:00');
    const market = recordMarket({ orders, alerts: [alert], payouts: [1, 0], settledAt });
    const { drawn, knownAt, meanUsdc } = measuredAlert(market, { asOf: settledAt }).controls;
    expect({ drawn, knownAt, meanUsdc }).toEqual({ drawn: 1, knownAt: settledAt, meanUsdc: 300 });
  });
});
