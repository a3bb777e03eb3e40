import type { SourceDeps } from '../tapes/source-deps.ts';
import type { MarketClient } from './client/market-client.ts';

/** What the parts of the feed share. */
export interface FeedTools extends SourceDeps {
  readonly client: Pick<MarketClient, 'get'>;
  /** From 0 up to 1, for jitter. */
  readonly random: () => number;
}
