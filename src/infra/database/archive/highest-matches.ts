import type { RankedField } from '../../../core/alerts/alert-store.ts';
import type { ColumnBlock } from './alert-columns.ts';
import type { ArchiveIndex } from './archive-index.ts';
import type { IdRange } from './archive-source.ts';
import { visitAll } from './archive-sums.ts';
import type { Matcher } from './matcher.ts';

interface RankQuery {
  readonly matcher: Matcher;
  readonly highest: RankedField;
  readonly limit: number;
}

const COLUMNS = {
  score: ({ scores }) => scores,
  toWinUsdc: ({ toWinUsdc }) => toWinUsdc,
  positionUsdc: ({ positionUsdc }) => positionUsdc,
} as const satisfies Record<RankedField, (block: ColumnBlock) => ArrayLike<number>>;

/** The matches of a range with the highest values, of equal ones the newest, and the number of all matches. */
export async function highestMatches(
  index: ArchiveIndex,
  range: IdRange,
  { matcher, highest, limit }: RankQuery,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const columnOf = COLUMNS[highest];
  const best: { readonly id: number; readonly value: number }[] = [];
  let total = 0;
  await visitAll(index, range, matcher, (block, at, id) => {
    total += 1;
    const value = columnOf(block)[at] as number;
    // The newest comes first: an equal one that comes later is older.
    if (best.length === limit && value <= (best.at(-1)?.value ?? value)) return;
    const place = best.findIndex((other) => other.value < value);
    best.splice(place < 0 ? best.length : place, 0, { id, value });
    if (best.length > limit) best.pop();
  });
  return { ids: best.map(({ id }) => id), total };
}
