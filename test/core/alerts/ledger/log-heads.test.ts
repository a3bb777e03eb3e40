import { expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { Feed } from '../../../../src/core/alerts/ledger/feed.ts';
import { LogHeads } from '../../../../src/core/alerts/ledger/log-heads.ts';
import { EMPTY_LOG } from '../../../../src/core/alerts/log/log-entry.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { memoryLog, sealed, settlementsAt } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const DELAY = 300_000;

function openHeads(...times: readonly number[]) {
  const clock = createFakeClock(START);
  const log = memoryLog(sealed(settlementsAt(...times)));
  const published: Alert[] = [];
  const alerts = {
    last: async () => published.at(-1) ?? null,
    after: async (id: number) => published.slice(id),
  };
  const feed = new Feed({ alerts, logger: silentLogger, retry: async () => {} });
  const warnings: string[] = [];
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const heads = new LogHeads({ log, alerts, clock, logger, freeDelayMs: DELAY });
  const append = (at: number) => void log.entries.push(...sealed(settlementsAt(at), log.entries.at(-1)));
  const publish = (alert: Alert) => {
    published.push(alert);
    feed.announce(alert);
  };
  return { clock, log, feed, heads, append, publish, warnings };
}

async function run({ heads, clock }: Pick<ReturnType<typeof openHeads>, 'heads' | 'clock'>): Promise<void> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void heads.run(stop.signal);
  await clock.asleep();
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

test('the newest head is known from the start, and follows the log within 100 ms', async () => {
  const { heads, feed, append, clock, log } = openHeads(START);
  expect(heads.newest).toEqual(EMPTY_LOG);
  await heads.open(feed);
  expect(heads.newest).toEqual({ seq: 1, hash: log.entries[0]?.hash });
  await run({ heads, clock });
  append(START + 1);
  await clock.advance(100);
  expect(heads.newest).toEqual({ seq: 2, hash: log.entries[1]?.hash });
});

test('the newest head is never older than an alert of the feed, and never goes back', async () => {
  const { heads, feed, clock, publish } = openHeads(START);
  await heads.open(feed);
  const log = { seq: 2, hash: 'b'.repeat(64) };
  publish(alertOf({ id: 1, log }));
  expect(heads.newest).toEqual(log);
  await run({ heads, clock });
  await clock.advance(500);
  expect(heads.newest).toEqual(log);
  publish(alertOf({ id: 2, log: { seq: 1, hash: 'a'.repeat(64) } }));
  publish(alertOf({ id: 3 }));
  await clock.advance(1);
  expect(heads.newest).toEqual(log);
});
