import type { Knowledge, LiveFeed, LiveRow, SourceStatus } from '../../core/source/source.ts';
import { FeedRun, type PolymarketFeedOptions } from './feed-run.ts';

/** The name under which the feed's checkpoint is kept. */
export const POLYMARKET = 'polymarket';

/** Polymarket as a live feed. */
export class PolymarketFeed implements LiveFeed {
  readonly name = POLYMARKET;
  readonly #options: PolymarketFeedOptions;
  #run: FeedRun | null = null;

  constructor(options: PolymarketFeedOptions) {
    this.#options = options;
  }

  batches(signal: AbortSignal, knowledge: Knowledge): AsyncIterable<readonly LiveRow[]> {
    this.#run = new FeedRun(this.#options, knowledge);
    return this.#run.batches(signal);
  }

  status(): SourceStatus {
    return this.#run?.status() ?? { state: 'starting', progress: null, historyProgress: null };
  }
}
