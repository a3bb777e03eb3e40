import { createHash, hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { LogMonths, logPages, MonthDigests } from '../../../../src/core/alerts/log/log-months.ts';
import { entryLine } from '../../../../src/core/alerts/log/seal.ts';
import { memoryLog, outcomesAt, sealed } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';

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

const SIZE = 1_000;

function digestsOf(size = SIZE) {
  const times = Array.from({ length: size }, (_, index) => START + index);
  const log = memoryLog(sealed(outcomesAt(...times)));
  const reads: { after: number; limit: number }[] = [];
  const read = (after: number, limit: number) => {
    reads.push({ after, limit });
    return log.after(after, { limit });
  };
  const text = (first: number, last: number) =>
    log.entries
      .slice(first - 1, last)
      .map((entry) => `${entryLine(entry)}\n`)
      .join('');
  const digests = new MonthDigests(() => createHash('sha256'));
  const digest = (first: number, last: number) =>
    digests.of({ month: '2026-01', first, last, isComplete: false }, (span) => logPages(read, span));
  return { digests, digest, text, read, reads };
}

test('the pages of a span are its lines, at most 100 a read', async () => {
  const { text, reads, read } = digestsOf();
  let lines = '';
  for await (const piece of logPages(read, { first: 3, last: 777 })) lines += piece;
  expect(lines).toBe(text(3, 777));
  expect(reads.map(({ limit }) => limit)).toEqual([100, 100, 100, 100, 100, 100, 100, 75]);
});

test('an entry that is missing is a fault, not a shorter file', async () => {
  const log = memoryLog(sealed(outcomesAt(START, START)));
  const pages = logPages((after, limit) => log.after(after, { limit }), { first: 1, last: 3 });
  expect((await pages.next()).done).toBe(false);
  await expect(pages.next()).rejects.toThrow('no entry 3');
});

test('a digest is the SHA-256 of the file, in whatever order ends are asked for', async () => {
  const { digest, text } = digestsOf();
  for (const last of [500, 501, 1_000, 7, 1_000, 999])
    expect(await digest(2, last)).toBe(hash('sha256', text(2, last), 'hex'));
});

test('of a month that grows only what is new is read', async () => {
  const { digest, reads } = digestsOf();
  await digest(1, 900);
  reads.length = 0;
  await digest(1, 903);
  expect(reads).toEqual([{ after: 900, limit: 3 }]);
  await digest(1, 900);
  expect(reads).toHaveLength(1);
});

test('callers that ask together share one reading, and a reader that fails takes the digest from no other', async () => {
  const { digests, digest, reads, text } = digestsOf(100);
  const span = { month: '2026-01', first: 1, last: 100, isComplete: false };
  const failed = digests.of(span, () => logPages(() => Promise.reject(new Error('hung up')), span));
  const others = [digest(1, 100), digest(1, 100)];
  await expect(failed).rejects.toThrow('hung up');
  const expected = hash('sha256', text(1, 100), 'hex');
  expect(await Promise.all(others)).toEqual([expected, expected]);
  expect(reads).toHaveLength(1);
});
