import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { categoryOf } from '../../../../src/core/trades/classification/category-of.ts';

interface HeldOut {
  readonly event: string;
  readonly title: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly expected: string;
}

const rows = readFileSync(new URL('../../../fixtures/held-out-titles.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): HeldOut => JSON.parse(line));

const fromTitle = ({ title }: HeldOut) => categoryOf({ title, slug: '', tags: [], category: null });

it('gives the label of the fixture from its tags', () => {
  const wrong = rows.filter(({ expected, ...row }) => categoryOf({ ...row, category: null }) !== expected);
  expect(wrong).toEqual([]);
});

// Measured 0.912 here, and 0.939 over all 1,628 held-out rows, before anyone looked at them; nearly all are pop
// culture, so this floor is the recall of one category and says nothing of the others.
it('finds the category from the title alone in at least 90% of titles never used to build the keywords', () => {
  const right = rows.filter((row) => fromTitle(row) === row.expected).length;
  expect(rows.length).toBeGreaterThan(300);
  expect(right / rows.length).toBeGreaterThanOrEqual(0.9);
});

// A miss that lands in `other` is an honest "not known"; a wrong category would reach the wrong subscribers.
it('names a wrong category in at most 2% of them', () => {
  const misleading = rows.filter((row) => !['other', row.expected].includes(fromTitle(row)));
  expect(misleading.length / rows.length).toBeLessThanOrEqual(0.02);
});
