import type { EpochMs } from '../../base/time/duration.ts';
import type { AlertDetails, AlertType } from '../../detection/candidate.ts';
import { isJsonObject, type JsonObject } from '../log/log-entry.ts';
import { positionProfitOf, resolutionOf, type Settlement } from '../settlement.ts';
import { type Difference, unlike } from './differences.ts';
import type { Evidence } from './evidence.ts';
import type { LogContents, LogMismatch } from './log-contents.ts';

/** A cent, and what floats lose. */
const CENT = 0.01 + 1e-9;

/**
 * How an alert's answer differs from what the log's settlement of its market makes of the alert; `unknown` where the
 * settlement does not name the alert's outcome. `settlement` null: not settled. The alert does not state its order's shares,
 * so `profit_usdc` is compared to the cents that follow from the rounding of what it states.
 */
export function outcomeDifference(
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
  // Near 0 the rounding decides who made money.
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
  const bought: Partial<AlertDetails> = {
    marketTotalBought: numberIn(details, 'market_total_bought') ?? 0,
    positionShares: numberIn(details, 'position_shares') ?? 0,
    ...optional('clusterTotal', numberIn(details, 'cluster_total')),
    ...optional('clusterShares', numberIn(details, 'cluster_shares')),
  };
  const expected = positionProfitOf({
    type: alert['alert_type'] as AlertType,
    side: sideOf(alert),
    details: bought as AlertDetails,
    resolution: { payout, won: false, profitUsdc: 0 },
  });
  return unlike('details.position_profit_usdc', expected, found);
}

/** The order as far as the alert states it. `sharesError`: how far the shares may be off. */
function orderOf(alert: JsonObject) {
  const [usdc, entryPrice] = [numberIn(alert, 'usdc_value') ?? 0, numberIn(alert, 'entry_price') ?? 0];
  const atStake = numberIn(objectIn(alert, 'details'), 'profit_at_stake');
  const shares = atStake === null ? usdc / entryPrice : usdc + atStake;
  // Amounts are rounded to cents, prices to millionths.
  const sharesError = atStake === null ? (0.005 + shares * 5e-7) / entryPrice : 0.01;
  return { side: sideOf(alert), shares, sharesError, entryPrice, outcome: String(alert['outcome']) };
}

function sideOf(alert: JsonObject): 'BUY' | 'SELL' {
  return alert['side'] === 'SELL' ? 'SELL' : 'BUY';
}

function numberIn(object: JsonObject, name: string): number | null {
  const value = object[name];
  return typeof value === 'number' ? value : null;
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function optional<Name extends string>(name: Name, value: number | null): Partial<Record<Name, number>> {
  return (value === null ? {} : { [name]: value }) as Partial<Record<Name, number>>;
}

/**
 * The error in the result of a received alert. The result must follow from one of the market's outcomes in the log, even one
 * corrected since. Also null if this cannot be decided: the market's first outcome was not read, or the result may be newer
 * than the end of the log. `visibleSince`: what was published before this moment is in the log.
 */
export function receivedResultFinding(
  { alert: received, name, sequence, receivedBefore }: Evidence,
  contents: Pick<LogContents, 'alerts' | 'settlementsOf'>,
  { isWhole, visibleSince }: { readonly isWhole: boolean; readonly visibleSince: EpochMs },
): LogMismatch | null {
  const id = received?.['id'];
  const alert = typeof id === 'number' ? contents.alerts.get(id) : undefined;
  if (received === null || alert === undefined || received['resolved'] !== true) return null;
  if ((receivedBefore ?? Number.POSITIVE_INFINITY) > visibleSince) return null;
  const { settlements, isFirstRead } = contents.settlementsOf(alert.marketId);
  if (!isWhole && !isFirstRead) return null;
  const differences = settlements.map((settlement) => outcomeDifference(alert.body, settlement, received));
  if (differences.some((difference) => difference === null || difference === 'unknown')) return null;
  const last = differences.at(-1);
  if (last === undefined || last === null || last === 'unknown') {
    const what = `${name} states a result, and its market has no outcome in the log`;
    return { sequence, what, expected: `an outcome of market ${alert.marketId}`, found: 'none' };
  }
  return {
    sequence: settlements.at(-1)?.sequence ?? sequence,
    what: `${last.field} of ${name} follows from no outcome that its market has in the log`,
    expected: last.found,
    found: last.expected,
  };
}
