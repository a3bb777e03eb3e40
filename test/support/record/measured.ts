import type {
  MeasuredAlert,
  MeasuredBuy,
  MeasuredMarket,
  PriceMove,
} from '../../../src/core/record/measured-market.ts';
import { seededRandom } from '../random.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Bought at .41 90 s after publication, and worth so much more a day later. */
export function moveOf(publishedAt: number, by: number, given: Partial<PriceMove> = {}): PriceMove {
  const openedAt = publishedAt + 90_000;
  const [price, value] = [0.41, 0.41 + by];
  const times = { openedAt, closedAt: openedAt + DAY_MS };
  return { state: 'measured', ...times, price, before: 0.4, afterHour: price, value, ...given };
}

/** An alert of 1 January 2027, 12:00, that is measured and not settled; its parts can be given in part. */
export function measuredAlert(given: Partial<MeasuredAlert> = {}): MeasuredAlert {
  const { publishedAt = Date.UTC(2027, 0, 1, 12), id = 1 } = given;
  const unfilled = { state: 'waiting', filledAt: null, price: null, fee: null, result: null } as const;
  return {
    ...{ id, type: 'fresh', score: 70, category: 'politics', ruleVersion: '4', publishedAt },
    ...{ entryPrice: 0.4, usdc: 2_000, positionPrice: null, isFirst: true },
    move: moveOf(publishedAt, 0),
    controls: { eligible: 5, measured: 4, usdc: 2_500, move24h: 0 },
    payout: null,
    pro: unfilled,
    free: unfilled,
    ...given,
  };
}

export function measuredBuy(given: Partial<MeasuredBuy> = {}): MeasuredBuy {
  const { at = Date.UTC(2027, 0, 1, 11, 59) } = given;
  const usual = { wallet: '0xold', usdc: 1_000, price: 0.5, toWin: 1_000, payout: null, isFirst: true };
  return { ...usual, at, move: moveOf(at, 0), ...given };
}

export function measuredMarket(given: Partial<MeasuredMarket> = {}): MeasuredMarket {
  return { event: 'e1', settledAt: null, alerts: [], buys: [], exits: [], ...given };
}

/** Events of one market each with 1 to 4 alerts and some buys, settled after 1 to 30 days by right prices. */
export function randomRecord(seed: number, events: number): readonly MeasuredMarket[] {
  const random = seededRandom(seed);
  let id = 0;
  return Array.from({ length: events }, (_, index) => {
    const at = Date.UTC(2027, 0, 2) + Math.floor((index * 60 * DAY_MS) / events);
    const settledAt = at + Math.floor((2 + random() * 29) * DAY_MS);
    const chance = 0.1 + 0.8 * random();
    const payout = random() < chance ? 1 : 0;
    const alerts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      id += 1;
      const publishedAt = at + Math.floor(random() * 6 * HOUR_MS);
      const move = moveOf(publishedAt, 0.2 * (random() - 0.5));
      return measuredAlert({ id, publishedAt, entryPrice: chance, payout, move });
    });
    const buys = alerts.map(({ id: of, publishedAt }) => {
      const usdc = 1_000 + Math.floor(random() * 9_000);
      return measuredBuy({ at: publishedAt, wallet: `0xb${of}`, payout, usdc, toWin: random() * 5_000 });
    });
    return measuredMarket({ event: `e${index}`, settledAt, alerts, buys });
  });
}
