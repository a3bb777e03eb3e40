import type { Bettors } from './bettor.ts';
import { toDecimals } from './figure.ts';
import type { RecordCoursePoint } from './record-report.ts';

/** Points of a course in the record, besides the highest of each bettor and the one that reached the threshold. */
const POINTS_MAX = 150;

/**
 * The capital of both bettors at the first bet, after each bet that was closed, and now (docs/method.md#the-bettor). Of a
 * longer course every second, third … point, counted from now: the highest and what reached the threshold are always in it.
 */
export function courseOf({ bought, sold }: Bettors): readonly RecordCoursePoint[] {
  const step = Math.ceil(bought.course.length / POINTS_MAX);
  const kept = new Set(
    [bought, sold].flatMap(({ course, highest, reachedAt }) => [
      course.findIndex(({ capital }) => capital === highest),
      course.findIndex(({ at }) => at === reachedAt),
    ]),
  );
  return bought.course.flatMap(({ at, capital }, index) => {
    const isShown = index === 0 || (bought.course.length - 1 - index) % step === 0 || kept.has(index);
    const other = sold.course[index]?.capital;
    if (!isShown || other === undefined) return [];
    return [{ at: new Date(at).toISOString(), bought: toDecimals(capital), sold: toDecimals(other) }];
  });
}
