import type { EpochMs } from '../../../../core/base/time/duration.ts';

/** The most rows of a page. */
export const PAGE_ROWS = 1_000;
/** So many rows at the end of a page must be known and mostly older than the floor, or the walk goes on. */
export const TAIL_ROWS = 10;
/** In a quiet market a few rows more cost less than a page that is too short. */
const LEAST_ROWS = 50;
/** About a minute. One in forty walks brings more than all of them, and costs a longest page besides its own. */
const WALKS = 16;
/** A tenth more than that. */
const MARGIN = 1 / 10;

/**
 * Rows of a page that most likely reaches the floor. `kept`: those that the last walk listed and this one must list again;
 * `brought`: how many were new in each of the last walks, none when that is unknown.
 */
export function rowsFor(kept: number, brought: readonly number[]): number {
  if (brought.length === 0) return PAGE_ROWS;
  const most = Math.max(...brought);
  const rows = kept + most + Math.ceil(most * MARGIN) + TAIL_ROWS;
  return Math.min(PAGE_ROWS, Math.max(LEAST_ROWS, rows));
}

/** How long the first page of the next walk must be, by what the last walks of one page listed. */
export class PageSize {
  #kept: number | null = null;
  #brought: readonly number[] = [];

  get rows(): number {
    return this.#kept === null ? PAGE_ROWS : rowsFor(this.#kept, this.#brought);
  }

  /** `times`: of the page's rows, or null when the walk took several pages. `floor`: of this walk; `next`: of the next one. */
  walked(times: readonly EpochMs[] | null, { floor, next }: Record<'floor' | 'next', EpochMs>): void {
    const kept = this.#kept;
    const from = (moment: EpochMs) => times?.filter((time) => time >= moment).length ?? 0;
    if (times !== null && kept !== null)
      this.#brought = [...this.#brought, Math.max(0, from(floor) - kept)].slice(-WALKS);
    this.#kept = times === null ? null : from(next);
  }
}
