import type { EpochMs } from '../core/base/time/duration.ts';
import { type Heartbeat, isAlive } from '../core/operations/heartbeat.ts';
import type { SourceProgress } from '../core/trades/source/source.ts';
import { POLYMARKET } from '../infra/market/polymarket/polymarket-feed.ts';
import { sourceName } from '../infra/market/tapes/open-source.ts';
import type { AppContext } from './app-context.ts';

/** Reads how far the source of this configuration has come; null before its first snapshot. */
export function sourceProgressReader({
  config,
  database: { ingest },
}: {
  readonly config: Pick<AppContext['config'], 'source' | 'replay'>;
  readonly database: Pick<AppContext['database'], 'ingest'>;
}): () => Promise<SourceProgress | null> {
  const { source, replay } = config;
  const name = source.kind === 'polymarket' ? POLYMARKET : sourceName({ ...source, ...replay });
  return async () => ((await ingest.readSnapshot(name))?.checkpoint ?? null) as SourceProgress | null;
}

/** The check `source` as another process reports it. */
interface SourceReport {
  readonly state?: unknown;
  readonly name?: unknown;
}

const OWN_STATES: readonly unknown[] = ['none', 'elsewhere', 'unknown', undefined];

/** The check `source` of a process without a source: which process has it, by the heartbeats; null without an answer. It decides nothing. */
export function sourceElsewhere(heartbeats: readonly Heartbeat[] | null, now: EpochMs) {
  if (heartbeats === null) return { ready: true, state: 'unknown' };
  const others = heartbeats
    .filter((heartbeat) => isAlive(heartbeat, now) && heartbeat.roles.includes('ingest'))
    .map(({ owner, at, checks }) => ({ owner, at, source: (checks['source'] ?? {}) as SourceReport }))
    .filter(({ source }) => !OWN_STATES.includes(source.state));
  const holder = others.find(({ source }) => source.state !== 'standby') ?? others[0];
  if (holder === undefined) return { ready: true, state: 'none' };
  const { owner, at, source } = holder;
  return {
    ready: true,
    state: 'elsewhere',
    process: owner,
    name: source.name,
    process_state: source.state,
    heartbeat_seconds: Math.max(0, Math.floor((now - at) / 1_000)),
  };
}
