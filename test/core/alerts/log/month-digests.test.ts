import { createHash, hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { logPages, MonthDigests } from '../../../../src/core/alerts/log/log-months.ts';
import { entryLine } from '../../../../src/core/alerts/log/seal.ts';
import { memoryLog, outcomesAt, sealed } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';

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
  return { digests, digest, text, reads };
}

test('the pages of a span are its lines, at most 100 a read', async () => {
  const { text, reads } = digestsOf();
  const log = memoryLog(sealed(outcomesAt(...Array.from({ length: SIZE }, (_, index) => START + index))));
  let read = '';
  const page = (after: number, limit: number) => {
    reads.push({ after, limit });
    return log.after(after, { limit });
  };
  for await (const piece of logPages(page, { first: 3, last: 777 })) read += piece;
  expect(read).toBe(text(3, 777));
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
