import { expect, test } from 'vitest';
import { AlertIndex } from '../../../../src/core/alerts/alert-index/alert-index.ts';
import { LogHeads } from '../../../../src/core/alerts/ledger/log-heads.ts';
import { EMPTY_LOG } from '../../../../src/core/alerts/log/log-entry.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { memoryLog, sealed, settlementsAt } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';

const DELAY = 300_000;

function openHeads(...times: readonly number[]) {
  const clock = createFakeClock(START);
  const log = memoryLog(sealed(settlementsAt(...times)));
  const index = new AlertIndex({ log, pause: async () => {} });
  const heads = new LogHeads({ log, index, clock, freeDelayMs: DELAY });
  return { clock, log, index, heads };
}

test('a real-time caller reads the newest head, all others that of the free delay', async () => {
  const { heads, log } = openHeads(START - DELAY - 1, START - DELAY, START - DELAY + 1);
  const [, second, third] = log.entries;
  expect(await heads.read({ isRealtime: true })).toMatchObject({ seq: 3, hash: third?.hash });
  expect(await heads.read({ isRealtime: false })).toMatchObject({
    seq: 2,
    hash: second?.hash,
    at: START - DELAY,
  });
});

test('the empty log, and one of which everything is younger than the free delay, have the empty head', async () => {
  expect(await openHeads().heads.read({ isRealtime: true })).toEqual({ ...EMPTY_LOG, at: null });
  expect(await openHeads(START).heads.read({ isRealtime: false })).toEqual({ ...EMPTY_LOG, at: null });
});

test('the delayed head is read once a second, however many ask, and never early', async () => {
  const { heads, log, clock } = openHeads(START - DELAY, START - DELAY + 1);
  await Promise.all(Array.from({ length: 100 }, () => heads.read({ isRealtime: false })));
  expect(log.calls.count).toBe(1);
  await clock.advance(999);
  expect((await heads.read({ isRealtime: false })).seq).toBe(1);
  expect(log.calls.count).toBe(1);
  await clock.advance(1);
  expect((await heads.read({ isRealtime: false })).seq).toBe(2);
});

test('the newest head is that of the index, and a real-time caller reads it from the log unless this is followed', async () => {
  const { heads, index, log } = openHeads(START);
  const append = (at: number) => void log.entries.push(...sealed(settlementsAt(at), log.entries.at(-1)));
  expect(heads.newest).toMatchObject(EMPTY_LOG);
  await index.follow();
  expect(heads.newest).toMatchObject({ seq: 1, hash: log.entries[0]?.hash });
  append(START + 1);
  expect((await heads.read({ isRealtime: true })).seq).toBe(1);
  await index.follow();
  expect((await heads.read({ isRealtime: true })).seq).toBe(2);
  index.unfollow();
  append(START + 2);
  expect((await heads.read({ isRealtime: true })).seq).toBe(3);
});
