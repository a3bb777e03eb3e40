import type { Alert } from '../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { WatchedMarket } from '../../src/core/record/prices/watched-market.ts';
import { alertOn, type GivenOrder, recordMarket } from '../core/record/record-market-fixture.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { takeLease } from '../support/lease.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';

/** A moment: minutes after the start of the fixtures. */
export const minute = (minutes: number) => START + minutes * MINUTE_MS;

export const WON = { payout: 1, won: true, profitUsdc: 3_000 };

/** An alert on an order of 2,000 USDC, published 10 s later. */
export function alertAt(
  minutes: number,
  given: Partial<Alert> & { readonly id: number },
  { price = 0.4, outcome = 0 }: Partial<GivenOrder> = {},
): Alert {
  const at = minute(minutes);
  const published = at + 10_000;
  const order = { at, price, outcome, usdc: 2_000, ...(given.wallet && { wallet: given.wallet }) };
  return alertOn(order, published, { createdAt: published, publishedAt: published, ...given });
}

interface Observed extends Omit<Partial<WatchedMarket>, 'alerts'> {
  readonly alerts: readonly Alert[];
  readonly orders?: readonly GivenOrder[];
}

/** The site with the alerts and orders of one market, when all of them are visible. */
export async function startObserved(given: Observed) {
  const server = await startSite();
  const { database, clock } = server;
  const { alerts } = given;
  const lease = await takeLease(database, 'a', START);
  const observe = async ({ alerts: traded, orders = [], ...market }: Observed) => {
    const { market: stored, days } = recordMarket({
      watched: traded,
      orders: [...traded.map(orderOf), ...orders],
      ...market,
    });
    await database.prices.write(lease, { markets: [stored], days });
  };
  await observe(given);
  await server.append(...alerts);
  const last = Math.max(START, ...alerts.map(({ createdAt }) => createdAt));
  await clock.jump(last - START + FREE_DELAY_MS);
  const read = async (path: string) => (await server.page(path)).text;
  return { ...server, observe, read, words: async (path: string) => wordsOf(await read(path)) };
}

function orderOf({ tradedAt: at, entryPrice: price, outcomeIndex }: Alert): GivenOrder {
  return { at, price, outcome: outcomeIndex === 1 ? 1 : 0 };
}

export function wordsOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.:])/g, '$1')
    .trim();
}

export function partOf(html: string, id: string): string {
  return html.split(`id="${id}"`)[1]?.split('</section>')[0] ?? '';
}
