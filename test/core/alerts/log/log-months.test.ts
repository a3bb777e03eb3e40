import { expect, test } from 'vitest';
import { LogMonths } from '../../../../src/core/alerts/log/log-months.ts';
import { memoryLog, outcomesAt, sealed } from '../../../support/log-entries.ts';

const at = (text: string) => Date.parse(text);
const head = (sequence: number) => ({ sequence });

function months(...times: readonly string[]) {
  const log = memoryLog(sealed(outcomesAt(...times.map(at))));
  return { log, months: new LogMonths(log) };
}

test('a month ends with the last millisecond of its last day, UTC, also at the turn of the year', async () => {
  const { months: of } = months(
    '2026-11-30T23:59:59.999Z',
    '2026-12-01T00:00:00.000Z',
    '2026-12-31T23:59:59.999Z',
    '2027-01-01T00:00:00.000Z',
  );
  expect(await of.all(head(4))).toEqual([
    { month: '2026-11', first: 1, last: 1, isComplete: true },
    { month: '2026-12', first: 2, last: 3, isComplete: true },
    { month: '2027-01', first: 4, last: 4, isComplete: false },
  ]);
});

test('a month goes as far as the head, and is complete only once a later entry is before the head', async () => {
  const { months: of } = months('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '2026-12-01T00:00:00Z');
  expect(await of.span('2026-11', head(1))).toEqual({
    month: '2026-11',
    first: 1,
    last: 1,
    isComplete: false,
  });
  expect(await of.span('2026-11', head(2))).toMatchObject({ last: 2, isComplete: false });
  expect(await of.span('2026-12', head(2))).toBeNull();
  expect(await of.span('2026-11', head(3))).toMatchObject({ last: 2, isComplete: true });
  // What is kept of a complete month is no answer for an earlier head.
  expect(await of.span('2026-11', head(1))).toMatchObject({ last: 1, isComplete: false });
});

test('a month without entries is left out', async () => {
  const { months: of } = months('2026-01-31T12:00:00Z', '2026-03-01T00:00:00Z');
  expect(await of.span('2026-02', head(2))).toBeNull();
  expect(await of.span('2025-12', head(2))).toBeNull();
  expect((await of.all(head(2))).map(({ month }) => month)).toEqual(['2026-01', '2026-03']);
  expect(await of.all(head(0))).toEqual([]);
});

test('where a complete month lies is read once', async () => {
  const { log, months: of } = months('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z');
  await of.span('2026-01', head(2));
  const before = log.calls.count;
  await of.span('2026-01', head(2));
  expect(log.calls.count).toBe(before);
});
