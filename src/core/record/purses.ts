import { DAY_MS, type EpochMs } from '../base/time/duration.ts';

/**
 * The bettor of the record (docs/method.md#the-bettor): a hypothetical dollar in three purses. If prices are fair, no way of staking
 * gains on average, so the dollar ever becomes $50 with a probability of at most 1/50, whatever the distribution of the moves,
 * and however often anyone looks (Ville's inequality).
 */

/** What a reader of one alert could buy, USDC a share. Times are those of the market. */
export interface Bet {
  /** Id of the alert; decides between bets of the same second. */
  readonly id: number;
  readonly openedAt: EpochMs;
  /** Above 0 and below 1. */
  readonly price: number;
  /** When `value` became known, after `openedAt`; null while it is unknown. */
  readonly closedAt: EpochMs | null;
  /** A later price, or the payout: 0 to 1. Null while unknown. */
  readonly value: number | null;
}

/** The free cash of all purses after a closed bet, USDC. */
export interface CapitalPoint {
  readonly at: EpochMs;
  readonly capital: number;
}

/** The free cash of all purses, USDC: now, at most, and after each closed bet, ascending by time. */
export interface Capital {
  readonly now: number;
  readonly highest: number;
  readonly course: readonly CapitalPoint[];
}

/** The share of its cash that each purse stakes on every bet. */
const STAKED = [0.25, 0.5, 0.9];

/** A bet without a known end keeps its stake; the next one may begin after this time. */
const LOCKED_AFTER_MS = 2 * DAY_MS;

/** The bets that a bettor with one bet at a time makes: each the first that opens after the last one was closed. */
export function oneAtATime(bets: readonly Bet[]): readonly Bet[] {
  let freeFrom = Number.NEGATIVE_INFINITY;
  return inOrder(bets).filter(({ openedAt, closedAt }) => {
    if (openedAt <= freeFrom) return false;
    freeFrom = Math.min(closedAt ?? Number.POSITIVE_INFINITY, openedAt + LOCKED_AFTER_MS);
    return true;
  });
}

/** By the time at which they open, of one second by id. */
export function inOrder(bets: readonly Bet[]): readonly Bet[] {
  return bets.toSorted((a, b) => a.openedAt - b.openedAt || a.id - b.id);
}

/** The same bets, seen by who buys the other outcome. */
export function mirrored(bets: readonly Bet[]): readonly Bet[] {
  return bets.map((bet) => ({
    ...bet,
    price: 1 - bet.price,
    value: bet.value === null ? null : 1 - bet.value,
  }));
}

/** Plays bets that may overlap; what is staked counts as lost until its end is known. */
export function playBets(bets: readonly Bet[]): Capital {
  return play(momentsOf(bets), 0);
}

/** A bet is opened or closed. */
interface Moment {
  readonly at: EpochMs;
  readonly id: number;
  readonly price: number;
  /** Null when it is opened. */
  readonly value: number | null;
}

function momentsOf(bets: readonly Bet[]): readonly Moment[] {
  const opened = inOrder(bets).map(({ id, openedAt, price }) => ({ at: openedAt, id, price, value: null }));
  const closed = bets.flatMap(({ id, price, closedAt, value }) =>
    closedAt === null ? [] : [{ at: closedAt, id, price, value }],
  );
  // Stable: a bet that is opened in the second in which another is closed does not know its end.
  return [...opened, ...closed].toSorted((a, b) => a.at - b.at);
}

class Purse {
  cash = 1 / STAKED.length;
  readonly #staked: number;
  readonly #shares = new Map<number, number>();

  constructor(staked: number) {
    this.#staked = staked;
  }

  open(id: number, price: number): void {
    const stake = this.cash * this.#staked;
    this.cash -= stake;
    this.#shares.set(id, stake / price);
  }

  close(id: number, value: number): void {
    this.cash += (this.#shares.get(id) ?? 0) * value;
  }
}

/** `move`: what is paid on top of each price. */
function play(moments: readonly Moment[], move: number): Capital {
  const purses = STAKED.map((staked) => new Purse(staked));
  const total = () => purses.reduce((sum, { cash }) => sum + cash, 0);
  const course: CapitalPoint[] = [];
  let highest = 1;
  for (const { at, id, price, value } of moments) {
    if (value === null) {
      if (price + move > 0) for (const purse of purses) purse.open(id, price + move);
      continue;
    }
    for (const purse of purses) purse.close(id, value);
    const capital = total();
    course.push({ at, capital });
    highest = Math.max(highest, capital);
  }
  return { now: total(), highest, course };
}

/** Ends of an interval of mean moves, USDC a share; null where no mean move is too low or too high. */
export interface MoveInterval {
  readonly low: number | null;
  readonly high: number | null;
}

interface IntervalTest {
  readonly threshold: number;
  /** The mean move of the bets. */
  readonly mean: number;
}

/**
 * The mean moves at which neither bettor ever reached the threshold: 96% at $50, at any time, if the average is steady. A mean
 * move is too low where the buyer who pays it on top reaches the threshold: the higher it is, the less that bettor has.
 */
export function moveInterval(bets: readonly Bet[], { threshold, mean }: IntervalTest): MoveInterval {
  const high = lowEnd(mirrored(bets), { threshold, mean: -mean });
  return { low: lowEnd(bets, { threshold, mean }), high: high === null ? null : -high };
}

const FIRST_STEP = 0.01;
const PRECISION = 0.00001;

/** The highest mean move that is too low, searched from the mean in steps that double. */
function lowEnd(bets: readonly Bet[], { threshold, mean }: IntervalTest): number | null {
  const moments = momentsOf(bets);
  const isTooLow = (move: number) => play(moments, move).highest >= threshold;
  // What was reached before can exclude the mean itself.
  let [low, high] = isTooLow(mean) ? [mean, 1] : [mean - FIRST_STEP, mean];
  while (!isTooLow(low)) {
    if (low < -1) return null;
    [low, high] = [low - 2 * (high - low), low];
  }
  while (high - low > PRECISION) {
    const middle = (low + high) / 2;
    if (isTooLow(middle)) low = middle;
    else high = middle;
  }
  return high;
}
