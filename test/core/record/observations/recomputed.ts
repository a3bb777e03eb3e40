import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Row, Trade } from '../../../../src/core/trades/trade.ts';

interface Sum {
  readonly first: Trade;
  readonly second: number;
  usdc: number;
  shares: number;
}

/** The orders of a tape, by second and wallet. */
function ordersIn(rows: readonly Row[]): Sum[] {
  const orders = new Map<string, Sum>();
  for (const row of rows) {
    if (row.kind !== 'trade') continue;
    const { wallet, asset, side, marketId, price, shares } = row.trade;
    const second = Math.floor(row.trade.at / SECOND_MS);
    const key = [second, wallet, asset, side, marketId].join();
    const order = orders.get(key) ?? { first: row.trade, second, usdc: 0, shares: 0 };
    orders.set(key, order);
    order.usdc += Math.round(shares * price * 1e6);
    order.shares += Math.round(shares * 1e6);
  }
  const name = ({ first }: Sum) => `${first.wallet} ${first.asset} ${first.side}`;
  return [...orders.values()].sort((a, b) => a.second - b.second || (name(a) < name(b) ? -1 : 1));
}

type Quote = [minute: number, last: unknown[], firstBase: unknown, firstOther: unknown];

const round6 = (value: number) => Math.round(value * 1e6) / 1e6;

/**
 * All observations of a tape with a complete history, by market and hour, for alerts that were found in time.
 * `base`: the token on whose scale each market is.
 */
export function recomputed(
  rows: readonly Row[],
  alerts: readonly Alert[],
  base: ReadonlyMap<string, string>,
): Map<string, unknown> {
  const hours = new Map<string, { bars: unknown[][]; buys: unknown[][]; quotes?: Quote[]; from?: number }>();
  const seen = new Map<string, { since: number; markets: Set<string> }>();
  const all = ordersIn(rows);
  const settledAt = new Map<string, number>();
  for (const row of rows)
    if (
      row.kind === 'market' &&
      row.market.payouts !== null &&
      row.at !== null &&
      !settledAt.has(row.market.id)
    )
      settledAt.set(row.market.id, row.at);
  const spansOf = Map.groupBy(alerts, ({ marketId }) => marketId);
  const begin = (all[0]?.second ?? 0) * SECOND_MS;
  for (const { first: fill, second, usdc, shares } of all) {
    const { marketId, wallet, asset, side, role } = fill;
    const known = seen.get(wallet) ?? { since: second, markets: new Set() };
    seen.set(wallet, known);
    known.markets.add(marketId);
    const at = second * SECOND_MS;
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
    const spans = (spansOf.get(marketId) ?? []).map(spanOf);
    const isByMinute = spans.some(([from, until]) => hour >= from && hour < until);
    const isWanted =
      hour >= Math.min(...spans.map(([from]) => from)) && hour <= (settledAt.get(marketId) ?? at);
    if (role === 'maker' || !(isByMinute || isWanted)) continue;
    const entry = hours.get(`${marketId} ${hour}`) ?? { bars: [], buys: [] };
    hours.set(`${marketId} ${hour}`, entry);
    if (isByMinute) entry.quotes ??= [];
    if (hour < begin) entry.from = (begin - hour) / SECOND_MS;
    const isOther = asset !== base.get(marketId);
    const price = round6(isOther ? 1 - round6(usdc / shares) : usdc / shares);
    const minute = isByMinute ? Math.floor((at - hour) / MINUTE_MS) : null;
    let bar = entry.bars.at(-1);
    if (bar?.[0] !== minute || bar === undefined) {
      const marks = isOther ? 13 : 0;
      bar = [minute, price, price, price, price, 0, 0, 0, 0, 0, marks];
      entry.bars.push(bar);
    }
    const [, , , low, high, barShares, barUsdc, orders, mirrored, unknown, marks] = bar as number[] as [
      ...number[],
    ] &
      number[];
    bar[2] = price;
    bar[3] = Math.min(low as number, price);
    bar[4] = Math.max(high as number, price);
    bar[5] = (Math.round((barShares as number) * 1e6) + shares) / 1e6;
    bar[6] = (Math.round((barUsdc as number) * 1e6) + usdc) / 1e6;
    bar[7] = (orders as number) + 1;
    bar[8] = (mirrored as number) + (isOther ? 1 : 0);
    bar[9] = (unknown as number) + (role === null ? 1 : 0);
    const moved = (isMoved: boolean, bit: number, before: number) =>
      isMoved ? (before & ~bit) | (isOther ? bit : 0) : before;
    bar[10] = moved(
      price > (high as number),
      8,
      moved(price < (low as number), 4, moved(true, 2, marks as number)),
    );
    if (entry.quotes !== undefined)
      addQuote(entry.quotes, { at: at - hour, price, own: round6(usdc / shares), shares, isOther, side });
    if (!isByMinute || side !== 'BUY' || usdc < 250e6) continue;
    const isFresh = second - known.since <= 14 * 86_400 && known.markets.size <= 5;
    const outcome = isOther ? 1 : 0;
    const amounts = [round6(usdc / shares), shares / 1e6, usdc / 1e6];
    entry.buys.push([
      second - hour / 1_000,
      wallet,
      outcome,
      ...amounts,
      role,
      isFresh ? 'fresh' : 'not_fresh',
    ]);
  }
  // Those of one second and wallet, by outcome; the sort is stable.
  const name = (buy: unknown[]) => `${String(buy[0]).padStart(4)} ${buy[1]} ${buy[2]}`;
  for (const { buys } of hours.values()) buys.sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return hours;
}

function addQuote(
  quotes: Quote[],
  order: { at: number; price: number; own: number; shares: number; isOther: boolean; side: string },
): void {
  const [minute, second] = [Math.floor(order.at / MINUTE_MS), (order.at % MINUTE_MS) / SECOND_MS];
  if (quotes.at(-1)?.[0] !== minute) quotes.push([minute, [], null, null]);
  const row = quotes.at(-1) as Quote;
  row[1] = [...row[1], [second, order.price, order.isOther ? 1 : 0, order.side === 'BUY' ? 0 : 1]].slice(-4);
  if (order.side === 'BUY') row[order.isOther ? 3 : 2] ??= [second, order.own, order.shares / 1e6];
}

function spanOf({ tradedAt, detectedAt }: Alert): [from: number, until: number] {
  return [
    Math.floor((tradedAt - DAY_MS) / HOUR_MS) * HOUR_MS,
    Math.ceil((detectedAt + 2 * DAY_MS) / HOUR_MS) * HOUR_MS,
  ];
}
