import { expect, test } from 'vitest';
import { PageCache } from '../../src/http/views/page-cache.ts';
import { ReadyAnswer } from '../../src/http/views/ready-answer.ts';

const made = {
  answer: new ReadyAnswer('page', { contentType: 'text/html', cacheControl: 'no-cache' }),
  bytes: 4,
  topics: [],
};

test('a caller that fails while it makes a page takes it from no other caller', async () => {
  const pages = new PageCache({ now: () => 0 });
  const first = pages.get('/', () => Promise.reject(new Error('disconnected')));
  const others = [1, 2, 3].map(() => pages.get('/', () => Promise.resolve(made)));
  await expect(first).rejects.toThrow('disconnected');
  expect(await Promise.all(others)).toEqual([made.answer, made.answer, made.answer]);
});

test('a page that cannot be made is tried once more for all that wait, not once for each', async () => {
  const pages = new PageCache({ now: () => 0 });
  let attempts = 0;
  const make = () => {
    attempts += 1;
    return Promise.reject(new Error('unavailable'));
  };
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => pages.get('/', make)));
  expect(results.map(({ status }) => status)).toEqual(new Array(5).fill('rejected'));
  expect(attempts).toBe(2);
});
