import type { Ingest } from '../core/ingest/ingest.ts';
import type { Database } from '../core/ports/database.ts';

/** Whether this process does its work: the database answers, and the source's first trade was seen or its tape ended. */
export async function readinessOf(
  database: Pick<Database, 'ping' | 'kind'>,
  ingest: Ingest | null,
): Promise<{ ready: boolean; checks: Record<string, unknown> }> {
  const isDatabaseUp = await database.ping().then(
    () => true,
    () => false,
  );
  const source = sourceCheck(ingest);
  const checks = { database: { kind: database.kind, ready: isDatabaseUp }, source };
  return { ready: isDatabaseUp && source.ready, checks };
}

function sourceCheck(ingest: Ingest | null) {
  if (ingest === null) return { ready: true, state: 'none' };
  const { state, source, detector } = ingest.status();
  // Who stands by is ready to serve what another process writes.
  if (state === 'standby') return { ready: true, state };
  if (state !== 'running' || source === null) return { ready: false, state };
  const { name, mapping } = source;
  const { state: position, progress } = source.status();
  const ready = position !== 'starting';
  return { ready, name, state: position, progress, mapping, time: detector?.time, memory: detector?.memory };
}
