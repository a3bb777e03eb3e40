import { type EpochMs, HOUR_MS, SECOND_MS } from '../../base/time/duration.ts';
import { parseHour } from './hour-text.ts';
import type { HourRange, ObservedHour, OutcomeSide } from './observation-store.ts';

/** A buy of 250 USDC or more, by a taker or where the role is not known. Its time is that of the source. */
export interface LargeBuy {
  readonly at: EpochMs;
  readonly wallet: string;
  readonly outcome: OutcomeSide;
  /** USDC a share of that outcome. */
  readonly price: number;
  readonly usdc: number;
  /** Whether the wallet was new, by the rules of detection at that moment. */
  readonly isFresh: boolean;
}

/** The largest buys around moments that follow each other closely. */
export interface BuysAround<Moment> {
  /** Ascending by time. */
  readonly moments: readonly Moment[];
  /** Descending by USDC; ties: earlier first. */
  readonly buys: readonly LargeBuy[];
}

interface BuysRequest {
  /** Nothing later is known, on the clock of the source. */
  readonly until: EpochMs;
  /** Maximum number of buys around one group of moments. */
  readonly count: number;
}

/** How long before the first and after the last moment buys are included. */
const AROUND_MS = HOUR_MS;
/** Greatest distance between moments of one group. */
const GROUP_MS = 6 * HOUR_MS;

/**
 * The largest buys around each moment, from an hour before it to an hour after it, from the observed hours. Moments within six hours
 * whose ranges overlap form one group, so that a buy is not repeated for each of them. Groups with the latest moments come first.
 */
export function largestBuys<Moment extends { readonly at: EpochMs }>(
  hoursOf: (range: HourRange) => Promise<readonly Pick<ObservedHour, 'hour' | 'text'>[]>,
  moments: readonly Moment[],
  { until, count }: BuysRequest,
): Promise<readonly BuysAround<Moment>[]> {
  const groups = groupsOf(moments.toSorted((a, b) => a.at - b.at));
  const read = groups.toReversed().map(async (group) => {
    const from = (group[0]?.at ?? 0) - AROUND_MS;
    const end = Math.min(until, (group.at(-1)?.at ?? 0) + AROUND_MS);
    const hours = await hoursOf({ from, until: end + 1 });
    const buys = hours
      .flatMap(buysOf)
      .filter(({ at }) => at >= from && at <= end)
      .toSorted((a, b) => b.usdc - a.usdc || a.at - b.at)
      .slice(0, count);
    return { moments: group, buys };
  });
  return Promise.all(read);
}

function groupsOf<Moment extends { readonly at: EpochMs }>(moments: readonly Moment[]): readonly Moment[][] {
  const groups: Moment[][] = [];
  for (const moment of moments) {
    const [first, last] = [groups.at(-1)?.[0], groups.at(-1)?.at(-1)];
    const isNear =
      first !== undefined &&
      last !== undefined &&
      moment.at - last.at <= 2 * AROUND_MS &&
      moment.at - first.at <= GROUP_MS;
    if (isNear) groups.at(-1)?.push(moment);
    else groups.push([moment]);
  }
  return groups;
}

function buysOf({ hour, text }: Pick<ObservedHour, 'hour' | 'text'>): readonly LargeBuy[] {
  return parseHour(text).buys.map(([second, wallet, outcome, price, , usdc, , ageClass]) => {
    return { at: hour + second * SECOND_MS, wallet, outcome, price, usdc, isFresh: ageClass === 'fresh' };
  });
}
