import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { recordMarket } from '../../core/record/record-market-fixture.ts';
import { alertOf } from '../../support/alerts.ts';
import { takeLease } from '../../support/lease.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts } from '../../support/stored.ts';

/** More than a page lists. */
export const ALERTS = 30;
/** Its prices are watched. */
export const CHARTED = 1;
/** How long before `START` the alerts were published: ten each a week, an hour and a moment ago. */
const AGES_MS = [7 * DAY_MS, HOUR_MS, 0];

/** Of an alert on a market of its own. */
export const facts = (id: number) => ({
  wallet: `0x${String(id).padStart(40, '0')}`,
  marketId: `0xm${id}`,
  eventTitle: `Will measure ${id} pass in the next session?`,
  eventSlug: `measure-${id}`,
});

export async function fillWithAlerts(database: Database): Promise<void> {
  const alerts = Array.from({ length: ALERTS }, (_, index) => {
    const id = index + 1;
    const age = AGES_MS[Math.floor(index / (ALERTS / AGES_MS.length))] ?? 0;
    const at = START - age + id * SECOND_MS;
    return alertOf({
      id,
      tradedAt: at,
      detectedAt: at,
      publishedAt: at,
      createdAt: at,
      ...facts(id),
    });
  });
  for (const alert of alerts) await storeAlerts(database, alert);
  const begun = START - 7 * DAY_MS;
  const { market, days } = recordMarket({
    watched: alerts.slice(0, CHARTED),
    orders: [0.4, 0.45, 0.5, 0.42].map((price, index) => {
      return { at: begun + index * 5 * MINUTE_MS, price, outcome: 0 as const, usdc: 2_000 };
    }),
  });
  const lease = await takeLease(database, 'a', START);
  await database.prices.write(lease, { markets: [market], days });
}
