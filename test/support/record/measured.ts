import type { MeasuredAlert, MeasuredMarket, PriceMove } from '../../../src/core/record/measured-market.ts';
import { seededRandom } from '../random.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Bought at .41 90 s after publication, and worth so much more a day later. */
export function moveOf(publishedAt: number, by: number): PriceMove {
  const openedAt = publishedAt + 90_000;
  return { openedAt, closedAt: openedAt + DAY_MS, price: 0.41, value: 0.41 + by };
}

/** An alert of 1 January 2027, 12:00, that is measured and not settled; its parts can be given in part. */
export function measuredAlert(given: Partial<MeasuredAlert> = {}): MeasuredAlert {
  const { publishedAt = Date.UTC(2027, 0, 1, 12) } = given;
  return {
    id: 1,
    publishedAt,
    entryPrice: 0.4,
    isFirst: true,
    move: moveOf(publishedAt, 0),
    payout: null,
    ...given,
  };
}

export function measuredMarket(given: Partial<MeasuredMarket> = {}): MeasuredMarket {
  return { event: 'e1', settledAt: null, alerts: [], ...given };
}

/** Events of one market each with 1 to 4 alerts, settled after 1 to 30 days by right prices. */
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
    return measuredMarket({ event: `e${index}`, settledAt, alerts });
  });
}
