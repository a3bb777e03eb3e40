import { Feed } from '../../src/core/alerts/ledger/feed.ts';
import { LogHeads } from '../../src/core/alerts/ledger/log-heads.ts';
import { StreamHub } from '../../src/core/delivery/stream/stream-hub.ts';
import { JsonFrames } from '../../src/http/stream/encode-frames.ts';
import type { KeyFixture } from './key-fixture.ts';
import { noMetrics } from './no-metrics.ts';
import { silentLogger } from './silent-logger.ts';

export const FREE_DELAY_MS = 300_000;

/** An open hub over the fixture's database, and the feed and the heads of the log that it follows. */
export async function openStream({ database, clock }: Pick<KeyFixture, 'database' | 'clock'>) {
  const { alerts, alertIndex: index, keys, log } = database;
  const feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(1_000) });
  const logHeads = new LogHeads({ index, log, clock, freeDelayMs: FREE_DELAY_MS });
  const hub = new StreamHub({
    alerts,
    keys,
    feed,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    frames: new JsonFrames(logHeads),
    defer: setImmediate,
    random: Math.random,
  });
  await index.refresh();
  await hub.open();
  return { hub, feed, logHeads };
}
