/** Rights to the reserved places of a day: for the best alerts, and for what a person follows. */
export interface PlaceRights {
  readonly isTop?: boolean;
  readonly isFollow?: boolean;
}

/** Places of a day: `all` of them, of which the numbers in `kept` are reserved for what has the right. */
export interface DayPlaces {
  readonly all: number;
  readonly kept: { readonly isTop: number; readonly isFollow: number };
}

const SETS_OF_RIGHTS = [[], ['isTop'], ['isFollow'], ['isTop', 'isFollow']] as const;

/**
 * Whether there is a place for `wanted` beside those taken, in any order: what has a right uses its reserved places first. Of 20
 * places, 5 kept for the best and 5 for follows, 10 are for anything.
 */
export function hasPlace(wanted: PlaceRights, taken: readonly PlaceRights[], places: DayPlaces): boolean {
  return SETS_OF_RIGHTS.every((rights) => {
    if (rights.some((right) => wanted[right])) return true;
    // What has none of these rights shares the unreserved places.
    const sharing = taken.filter((one) => rights.every((right) => !one[right]));
    return sharing.length < rights.reduce((left, right) => left - places.kept[right], places.all);
  });
}

/** Fewer scores cannot show what is rare. */
const SCORES_NEEDED = 20;
/** “Very high”: about one alert in forty (docs/reading-alerts.md). */
const TOP_SCORE = 80;

/** The lowest score in the top tenth of the given scores (rounded up); 80 with fewer than 20 of them. */
export function topTenthFrom(scores: readonly number[]): number {
  if (scores.length < SCORES_NEEDED) return TOP_SCORE;
  return scores.toSorted((a, b) => b - a)[Math.ceil(scores.length / 10) - 1] ?? TOP_SCORE;
}
