import { z } from 'zod';
import type { EpochMs } from '../core/base/time/duration.ts';
import { type Heartbeat, isAlive } from '../core/operations/heartbeat.ts';
import { BLIND_CAUSES } from '../core/trades/coverage/blind-window.ts';
import type { ReportedFeed } from '../core/trades/coverage/feed-health-report.ts';

const waiting = z.object({
  facts_delayed: z.object({
    waiting: z.number(),
    since: z.iso.datetime().transform((text) => Date.parse(text)),
  }),
});
const sources = z.object({ failure: z.enum(BLIND_CAUSES) });

/** What the process that watches the market reports in its heartbeat. */
export function reportedFeedOf(heartbeats: readonly Heartbeat[], now: EpochMs): ReportedFeed {
  const alive = heartbeats.filter((heartbeat) => isAlive(heartbeat, now)).map(({ checks }) => checks);
  const delayed = alive.map((checks) => waiting.safeParse(checks['waiting']).data).find(Boolean);
  const failing = alive.map((checks) => sources.safeParse(checks['trade_sources']).data).find(Boolean);
  return { failure: failing?.failure ?? null, factsDelayed: delayed?.facts_delayed ?? null };
}
