import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { AlertDetails, AlertType } from '../../detection/candidate.ts';
import { isJsonObject, type Json, type JsonObject } from '../log/log-entry.ts';
import { positionProfitOf, resolutionOf, type Settlement } from '../settlement.ts';

/** A field in which two statements about one alert differ. */
export interface Difference {
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * The first field of an entry's body that differs in another statement about the same thing. Fields that only the other has do
 * not count, since later versions add some. `isWhole`: fields that the other lacks count.
 */
export function firstDifference(
  body: JsonObject,
  other: JsonObject,
  { isWhole }: { readonly isWhole: boolean },
): Difference | null {
  for (const [name, value] of Object.entries(body)) {
    const found = other[name];
    if (found === undefined && !isWhole) continue;
    const isNested = isJsonObject(value) && isJsonObject(found);
    const difference = isNested ? firstDifference(value, found, { isWhole }) : unlike(name, value, found);
    if (difference !== null)
      return isNested ? { ...difference, field: `${name}.${difference.field}` } : difference;
  }
  return null;
}

/** The difference of two values of a field; null when they are equal. */
function unlike(field: string, expected: Json, found: Json | undefined): Difference | null {
  const [wanted, actual] = [textOf(expected), found === undefined ? 'nothing' : textOf(found)];
  return wanted === actual ? null : { field, expected: wanted, found: actual };
}

/** Canonical JSON; plain JSON if a string is not valid Unicode. */
function textOf(value: Json): string {
  try {
    return canonicalJson(value);
  } catch {
    return JSON.stringify(value);
  }
}

/** A cent, plus the rounding error of floats. */
const CENT = 0.01 + 1e-9;
/** Half of the last digit of an order's stated USDC and price. */
const ROUNDED_BY = { usdc: 0.005, price: 5e-7 };

/**
 * How an alert's answer differs from what the log's settlement of its market makes of the alert; `unknown` where the
 * settlement does not name the alert's outcome. `settlement` null: not settled. The alert does not state its order's shares,
 * so they are its USDC by its price, and `profit_usdc` may differ by what follows from the rounding of these.
 */
export function settlementDifference(
  alert: JsonObject,
  settlement: Settlement | null,
  answer: JsonObject,
): Difference | 'unknown' | null {
  if (settlement === null) return unlike('resolved', false, answer['resolved']);
  const order = orderOf(alert);
  const resolution = resolutionOf({ ...order, outcomeIndex: -1 }, settlement);
  if (resolution === null) return 'unknown';
  const { payout, profitUsdc } = resolution;
  const profit = answer['profit_usdc'];
  const tolerance = order.sharesError * Math.abs(payout - order.entryPrice) + CENT;
  const isSplit = payout !== 0 && payout !== 1;
  // Near 0, rounding decides whether there was a profit.
  const won = isSplit && Math.abs(profitUsdc) <= tolerance ? Number(profit) > 0 : resolution.won;
  return (
    unlike('resolved', true, answer['resolved']) ??
    unlike('won', won, answer['won']) ??
    (typeof profit === 'number' && Math.abs(profit - profitUsdc) <= tolerance
      ? null
      : unlike('profit_usdc', profitUsdc, profit)) ??
    positionDifference(alert, payout, answer)
  );
}

function positionDifference(alert: JsonObject, payout: number, answer: JsonObject): Difference | null {
  const details = objectIn(alert, 'details');
  const found = objectIn(answer, 'details')['position_profit_usdc'];
  // Only the parts that the profit is made of.
  const bought = {
    marketTotalBought: numberIn(details, 'market_total_bought') ?? 0,
    positionShares: numberIn(details, 'position_shares') ?? 0,
    clusterTotal: numberIn(details, 'cluster_total'),
    clusterShares: numberIn(details, 'cluster_shares'),
  };
  const expected = positionProfitOf({
    type: alert['alert_type'] as AlertType,
    side: sideOf(alert),
    details: bought as AlertDetails,
    resolution: { payout, won: false, profitUsdc: 0 },
  });
  return unlike('details.position_profit_usdc', expected, found);
}

function orderOf(alert: JsonObject) {
  const [usdc, entryPrice] = [numberIn(alert, 'usdc_value') ?? 0, numberIn(alert, 'entry_price') ?? 0];
  const shares = entryPrice === 0 ? 0 : usdc / entryPrice;
  const sharesError =
    entryPrice === 0 ? 0 : (ROUNDED_BY.usdc + shares * ROUNDED_BY.price) / (entryPrice - ROUNDED_BY.price);
  return { side: sideOf(alert), shares, sharesError, entryPrice, outcome: String(alert['outcome']) };
}

function sideOf(alert: JsonObject): 'BUY' | 'SELL' {
  return alert['side'] === 'SELL' ? 'SELL' : 'BUY';
}

function numberIn(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}
