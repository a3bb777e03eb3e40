import type { SourceProgress } from '../core/trades/source/source.ts';
import { POLYMARKET } from '../infra/market/polymarket/polymarket-feed.ts';
import { sourceName } from '../infra/market/tapes/open-source.ts';
import type { AppContext } from './app-context.ts';

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
