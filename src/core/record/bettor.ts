import { DAY_MS, type EpochMs } from '../base/time/duration.ts';

/**
 * The verdict of the record (docs/method.md#the-bettor). If prices are fair, no way of staking gains on average, so the
 * capital of a bettor who starts with $1 reaches $50 with a probability of at most 1/50, whatever the distribution of the moves,
 * and however often anyone looks (Ville's inequality).
 */

/** What a reader of one alert could buy, USDC a share. Times are those of the market. */
export interface Offer {
  /** Id of the alert; decides between offers of the same second. */
  readonly id: number;
  readonly openedAt: EpochMs;
  /** Above 0 and below 1. */
  readonly price: number;
  /** When `value` became known, after `openedAt`; null while it is unknown. */
  readonly closedAt: EpochMs | null;
  /** A later price, or the payout: 0 to 1. Null while unknown. */
  readonly value: number | null;
}

/** The capital of a bettor, USDC: what is free now, the most that was ever free, and when it first reached the threshold. */
export interface Capital {
  readonly now: number;
  readonly highest: number;
  readonly reachedAt: EpochMs | null;
  /** What was free after each closed bet, ascending by time. */
  readonly course: readonly CapitalPoint[];
}

interface CapitalPoint {
  readonly at: EpochMs;
  readonly capital: number;
}

/** A bettor who holds the outcome, and one who holds the other outcome. */
export interface Bettors {
  readonly bought: Capital;
  readonly sold: Capital;
  /** Bets that were made, and how many of them have an unknown end. */
  readonly bets: number;
  readonly open: number;
}

/** Shares per dollar of capital, and the most of it that one bet may take: each pair has a twelfth of the first dollar. */
const SHARES_PER_DOLLAR = [1, 2, 4, 8];
const MOST_STAKED = [0.25, 0.5, 0.9];
const ACCOUNTS = SHARES_PER_DOLLAR.flatMap((shares) => MOST_STAKED.map((most) => ({ shares, most })));

/** A bet without a known end keeps its stake; the next one may begin after this time. */
const LOCKED_AFTER_MS = 2 * DAY_MS;

/** The offers that a bettor with one bet at a time takes: each the first that comes after the last bet was closed. */
export function oneAtATime(offers: readonly Offer[]): readonly Offer[] {
  let freeFrom = Number.NEGATIVE_INFINITY;
  return inOrder(offers).filter(({ openedAt, closedAt }) => {
    if (openedAt <= freeFrom) return false;
    freeFrom = Math.min(closedAt ?? Number.POSITIVE_INFINITY, openedAt + LOCKED_AFTER_MS);
    return true;
  });
}

/** Plays both bettors through bets that may overlap: open ones count as lost. `move`: the mean tested. */
export function playBets(bets: readonly Offer[], { threshold, move = 0 }: BettorTest): Bettors {
  return {
    bought: play(bets, { threshold, priceOf: ({ price }) => price + move, worthOf: (value) => value }),
    sold: play(bets, { threshold, priceOf: ({ price }) => 1 - price - move, worthOf: (value) => 1 - value }),
    bets: bets.length,
    open: bets.filter(({ closedAt }) => closedAt === null).length,
  };
}

interface BettorTest {
  /** The capital at which a bettor has shown that prices are not fair. */
  readonly threshold: number;
  readonly move?: number;
}

/** Ends of an interval of mean moves, USDC a share. */
export interface MoveInterval {
  /** Null where no mean move is too low or too high. */
  readonly low: number | null;
  readonly high: number | null;
}

const STEP = 0.01;
const PRECISION = 0.00001;

/**
 * All mean moves at which neither bettor ever reached the threshold: 96 % at $50, at any time. A mean move is too low where
 * the buyer who pays it on top reaches the threshold; the higher the mean, the less that bettor has.
 */
export function moveInterval(bets: readonly Offer[], threshold: number): MoveInterval {
  const isTooLow = (move: number) => playBets(bets, { threshold, move }).bought.reachedAt !== null;
  const isTooHigh = (move: number) => playBets(bets, { threshold, move }).sold.reachedAt !== null;
  return { low: outermost(isTooLow, 1), high: outermost(isTooHigh, -1) };
}

/** The end of the excluded moves that is next to the others, coming from `from` (1 or -1). */
function outermost(isExcluded: (move: number) => boolean, from: 1 | -1): number | null {
  for (let step = 1; step <= 2 / STEP; step += 1) {
    let excluded = from * (1 - step * STEP);
    if (!isExcluded(excluded)) continue;
    let included = excluded + from * STEP;
    while (Math.abs(included - excluded) > PRECISION) {
      const middle = (included + excluded) / 2;
      if (isExcluded(middle)) excluded = middle;
      else included = middle;
    }
    return included;
  }
  return null;
}

function inOrder(offers: readonly Offer[]): readonly Offer[] {
  return offers.toSorted((a, b) => a.openedAt - b.openedAt || a.id - b.id);
}

/** How one of the two bettors sees a bet. */
interface Side {
  readonly threshold: number;
  readonly priceOf: (bet: Offer) => number;
  readonly worthOf: (value: number) => number;
}

function play(bets: readonly Offer[], { threshold, priceOf, worthOf }: Side): Capital {
  const cash = ACCOUNTS.map(() => 1 / ACCOUNTS.length);
  const total = () => cash.reduce((sum, own) => sum + own, 0);
  const pending = closings(bets);
  const shares = new Map<Offer, readonly number[]>();
  const course: CapitalPoint[] = [];
  let highest = 1;
  let reachedAt: EpochMs | null = null;
  const closeBefore = (moment: EpochMs): void => {
    while ((pending.at(-1)?.closedAt ?? moment) < moment) {
      const bet = pending.pop() as Closing;
      const value = worthOf(bet.value);
      for (const [index, own] of (shares.get(bet) ?? []).entries())
        cash[index] = (cash[index] ?? 0) + own * value;
      const capital = total();
      course.push({ at: bet.closedAt, capital });
      highest = Math.max(highest, capital);
      if (capital >= threshold) reachedAt ??= bet.closedAt;
    }
  };
  for (const bet of inOrder(bets)) {
    closeBefore(bet.openedAt);
    const price = priceOf(bet);
    if (price <= 0) continue;
    const stakes = ACCOUNTS.map(
      (account, index) => (cash[index] ?? 0) * Math.min(account.shares * price, account.most),
    );
    for (const [index, stake] of stakes.entries()) cash[index] = (cash[index] ?? 0) - stake;
    shares.set(
      bet,
      stakes.map((stake) => stake / price),
    );
  }
  closeBefore(Number.POSITIVE_INFINITY);
  return { now: total(), highest, reachedAt, course };
}

type Closing = Offer & { readonly closedAt: EpochMs; readonly value: number };

/** Those with an end, the last first. */
function closings(bets: readonly Offer[]): Closing[] {
  const closed = bets.filter((bet): bet is Closing => bet.closedAt !== null && bet.value !== null);
  return closed.toSorted((a, b) => b.closedAt - a.closedAt || b.id - a.id);
}
