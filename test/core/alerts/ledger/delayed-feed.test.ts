import { expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { DelayedFeed, Feed } from '../../../../src/core/alerts/ledger/feed.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { until } from '../../../support/until.ts';

const SECOND = 1_000;
const DELAY = 300 * SECOND;

function start(...times: number[]) {
  const clock = createFakeClock(START);
  const stored: Alert[] = times.map((createdAt, index) => alertOf({ id: index + 1, createdAt }));
  const alerts = {
    after: async (id: number, limit: number) => stored.slice(id, id + limit),
    latest: async (query: { until?: number }) =>
      stored.filter(({ createdAt }) => createdAt <= (query.until ?? createdAt)).toReversed(),
  };
  const seen: number[] = [];
  const feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(SECOND) });
  const onAlert = ({ id }: Alert) => void seen.push(id);
  const delayed = new DelayedFeed({ alerts, feed, clock, delayMs: DELAY, onAlert });
  onTestFinished(() => delayed.close());
  const write = (createdAt: number) => {
    const alert = alertOf({ id: stored.length + 1, createdAt });
    stored.push(alert);
    feed.announce(alert);
  };
  return { clock, seen, delayed, write };
}

test('has an alert after 300 s, not after 299 s, each once and in order', async () => {
  const { clock, seen, delayed, write } = start();
  await delayed.open();
  for (const seconds of [0, 1]) write(START + seconds * SECOND);
  await clock.asleep();
  await clock.advance(DELAY - SECOND);
  expect([seen, delayed.newestId]).toEqual([[], 0]);
  await clock.advance(SECOND);
  expect([seen, delayed.newestId]).toEqual([[1], 1]);
  await until(() => clock.sleepers === 1);
  await clock.advance(SECOND);
  expect([seen, delayed.newestId]).toEqual([[1, 2], 2]);
});

test('begins after a restart where it was: what was visible then is no news', async () => {
  const { clock, seen, delayed } = start(START - DELAY, START - DELAY + SECOND);
  await delayed.open();
  expect(delayed.newestId).toBe(1);
  await clock.asleep();
  await clock.advance(SECOND);
  expect(seen).toEqual([2]);
});
