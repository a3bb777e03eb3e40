import type { Sha256 } from '../alerts/log/seal.ts';
import { rounded } from '../base/rounded.ts';
import { DAY_MS, SECOND_MS } from '../base/time/duration.ts';
import type { TrackedOrder } from './market-as-of.ts';
import type { ObservedBuy } from './price-history.ts';

/** Controls of one alert. */
const MOST_DRAWN = 5;
/** How far from the alert's order a control is at most. */
export const CONTROL_TIME_MS = DAY_MS;
/** How far from its price, on the scale of its outcome. */
const PRICE_LIMIT = 0.1;

/** An alert for which controls are drawn. */
export interface ControlledAlert extends TrackedOrder {
  /** As published. */
  readonly entryPrice: number;
  /** Of the alert and of the members of its cluster: their buys are no controls. */
  readonly wallets: readonly string[];
  /** Hash of its entry in the log; empty where it has none. */
  readonly logHash: string;
}

/** What the draw depends on beside the alert and the buys. */
export interface DrawSeed {
  /** Of the rules, which contain the plan of the record. */
  readonly rulesHash: string;
  readonly sha256: Sha256;
}

/**
 * Up to 5 buys of distinct wallets of known, not fresh, age, within 24 h and 10 ¢. Ranked by the SHA-256 of rules hash, log hash and
 * trade key, so that nothing about the draw can be chosen, and taken alternately from both outcomes; when one is used up, from the
 * other. The sequence of `buys` has no influence.
 */
export function drawControls(
  buys: readonly ObservedBuy[],
  alert: ControlledAlert,
  seed: DrawSeed,
): readonly ObservedBuy[] {
  const known = new Set(alert.wallets);
  const eligible = buys.filter((buy) => isNear(buy, alert));
  const distinct = ranked(eligible, alert, seed).filter(({ wallet }) => isNew(known, wallet));
  // The outcome of the lowest hash comes first.
  const [first = [], second = []] = [...Map.groupBy(distinct, ({ outcome }) => outcome).values()];
  const alternating = Array.from({ length: MOST_DRAWN }, (_, index) => [first[index], second[index]]);
  return alternating
    .flat()
    .filter((buy) => buy !== undefined)
    .slice(0, MOST_DRAWN);
}

function isNear({ at, outcome, price, ageClass }: ObservedBuy, alert: ControlledAlert): boolean {
  const onItsScale = outcome === alert.outcome ? price : 1 - price;
  return (
    ageClass === 'not_fresh' &&
    Math.abs(at - alert.at) <= CONTROL_TIME_MS &&
    rounded(Math.abs(onItsScale - alert.entryPrice), 6) <= PRICE_LIMIT
  );
}

function ranked(
  buys: readonly ObservedBuy[],
  { logHash }: ControlledAlert,
  { rulesHash, sha256 }: DrawSeed,
): readonly ObservedBuy[] {
  const hashed = buys.map((buy) => {
    const tradeKey = `${buy.at / SECOND_MS}:${buy.wallet}:${buy.outcome}`;
    return { buy, hash: sha256(`${rulesHash}|${logHash}|${tradeKey}`) };
  });
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ buy }) => buy);
}

function isNew(known: Set<string>, wallet: string): boolean {
  const { size } = known;
  return known.add(wallet).size > size;
}
