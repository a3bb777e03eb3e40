import { z } from 'zod';
import type { FactsDelayed } from '../core/feed-health/facts-delayed.ts';
import { type Heartbeat, isAlive } from '../core/operations/heartbeat.ts';
import type { EpochMs } from '../core/trade.ts';

const check = z.object({
  facts_delayed: z.object({
    waiting: z.number(),
    since: z.iso.datetime().transform((text) => Date.parse(text)),
  }),
});

/** What the process that watches the market reports in its heartbeat; null while no facts are late. */
export function factsDelayedOf(heartbeats: readonly Heartbeat[], now: EpochMs): FactsDelayed | null {
  const alive = heartbeats.filter((heartbeat) => isAlive(heartbeat, now));
  return (
    alive.map(({ checks }) => check.safeParse(checks['waiting']).data).find(Boolean)?.facts_delayed ?? null
  );
}
