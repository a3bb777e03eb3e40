import { createFeed } from '../../src/core/ledger/feed.ts';
import { createStreamHub } from '../../src/core/stream/stream-hub.ts';
import { STREAM_FRAMES } from '../../src/http/stream/encode-frames.ts';
import type { KeyDesk } from './key-desk.ts';
import { noMetrics } from './no-metrics.ts';
import { silentLogger } from './silent-logger.ts';

/** An open hub over the desk's database, and the feed it follows. */
export async function openStream({ database, clock }: Pick<KeyDesk, 'database' | 'clock'>) {
  const { alerts, keys } = database;
  const feed = createFeed({ alerts, logger: silentLogger, retry: () => clock.sleep(1_000) });
  const hub = createStreamHub({
    alerts,
    keys,
    feed,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    frames: STREAM_FRAMES,
    defer: setImmediate,
    random: Math.random,
  });
  await hub.open();
  return { hub, feed };
}
