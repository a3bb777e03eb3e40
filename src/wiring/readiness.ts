import type { Ingest } from '../core/ingest/ingest.ts';
import type { DeliveryEngine } from '../core/webhooks/delivery-engine.ts';
import type { House } from './house.ts';

/**
 * Whether this process does its work: the database answers, and the source's first trade was seen or its tape ended.
 * How deliveries stand is told and decides nothing: receivers are not ours.
 */
export async function readinessOf(
  { database, clock }: Pick<House, 'database' | 'clock'>,
  ingest: Ingest | null,
  deliver: DeliveryEngine | null,
): Promise<{ ready: boolean; checks: Record<string, unknown> }> {
  const isDatabaseUp = await database.ping().then(
    () => true,
    () => false,
  );
  const source = sourceCheck(ingest);
  const checks = {
    database: { kind: database.kind, ready: isDatabaseUp },
    source,
    ...(deliver !== null && { deliveries: deliveriesCheck(deliver, clock.now()) }),
  };
  return { ready: isDatabaseUp && source.ready, checks };
}

function deliveriesCheck(deliver: DeliveryEngine, now: number) {
  const { waiting, inFlight, oldestWaitingAt } = deliver.status();
  const oldestMs = oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt);
  return { ready: true, waiting, in_flight: inFlight, oldest_seconds: Math.floor(oldestMs / 1_000) };
}

function sourceCheck(ingest: Ingest | null) {
  if (ingest === null) return { ready: true, state: 'none' };
  const { state, source, detector } = ingest.status();
  // Who stands by is ready to serve what another process writes, and who is paused what was written.
  if (state === 'standby' || state === 'paused') return { ready: true, state };
  if (state !== 'running' || source === null) return { ready: false, state };
  const { name, mapping } = source;
  const { state: position, progress } = source.status();
  const ready = position !== 'starting';
  return { ready, name, state: position, progress, mapping, time: detector?.time, memory: detector?.memory };
}
