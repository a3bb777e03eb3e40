import { StreamHub } from '../core/stream/stream-hub.ts';
import { JsonFrames } from '../http/stream/encode-frames.ts';
import type { AppContext } from './app-context.ts';

export function wireStream({ clock, logger, metrics, database, feed, logHeads }: AppContext): StreamHub {
  return new StreamHub({
    alerts: database.alerts,
    keys: database.keys,
    feed,
    clock,
    logger,
    metrics: metrics.metrics,
    frames: new JsonFrames(logHeads),
    defer: setImmediate,
    random: Math.random,
  });
}
