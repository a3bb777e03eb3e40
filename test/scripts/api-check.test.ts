import { expect, test } from 'vitest';
import { addCounts, describeCounts, NO_COUNTS } from '../../scripts/api-check/counts.ts';

test('the counts of an API check are the sums of its runs, in one line', () => {
  const first = {
    cases: 3,
    checks: { auth: 2, form: 3 },
    failures: {},
    valid: { 200: 2 },
    invalid: { 422: 1 },
  };
  const second = {
    cases: 2,
    checks: { form: 2 },
    failures: { form: 1 },
    valid: { 200: 1, 404: 1 },
    invalid: {},
  };
  expect(describeCounts([first, second].reduce(addCounts, NO_COUNTS))).toBe(
    '5 cases; 7 checks of 2 kinds; 1 failures (form: 1); valid 200: 3, 404: 1; invalid 422: 1',
  );
  expect(describeCounts(first)).toContain('; 0 failures; ');
});
