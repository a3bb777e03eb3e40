import type { MarketResolution, ResolutionStore } from '../alerts/resolution.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ChatStore } from './chat-store.ts';
import { postEdit } from './thread-post.ts';

const MARKETS_PER_PAGE = 100;
const POSTS_PER_PAGE = 500;

/** Dependencies of `ChannelResults`. */
export interface ChannelResultsOptions {
  readonly store: Pick<ChatStore, 'add' | 'cursor' | 'advance' | 'postsOfMarket'>;
  readonly resolutions: Pick<ResolutionStore, 'after'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called when due messages were added. */
  readonly wake: () => void;
}

/** Follows the outcomes of markets and queues the edits of the posts that show them. */
export class ChannelResults {
  readonly #options: ChannelResultsOptions;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #isWaiting = false;

  constructor(options: ChannelResultsOptions) {
    this.#options = options;
  }

  /** Processes the outcomes since the last one, one sweep after the other. Returns how many edits were added. */
  readonly sweep = (): Promise<number> => this.#sweep(() => {});

  /** Starts a sweep soon. A failure is logged; the next sweep covers it. */
  readonly wake = (): void => {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const sweep = this.#sweep(() => {
      this.#isWaiting = false;
    });
    sweep.catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'results of posts failed; retrying with the next sweep');
    });
  };

  /** Resolves when no sweep runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
  }

  /** What is announced during a sweep is found by the next one. */
  #sweep(onStart: () => void): Promise<number> {
    const sweep = this.#last.then(() => {
      onStart();
      return this.#addAll();
    });
    this.#last = sweep.catch(() => {});
    return sweep;
  }

  async #addAll(): Promise<number> {
    if (this.#isClosed) return 0;
    const { store, resolutions, wake } = this.#options;
    let seq = (await store.cursor('channel_results')) ?? 0;
    let added = 0;
    while (!this.#isClosed) {
      const page = await resolutions.after(seq, MARKETS_PER_PAGE);
      for (const resolution of page) added += await this.#addEdits(resolution);
      seq = page.at(-1)?.seq ?? seq;
      if (page.length > 0) await store.advance('channel_results', seq);
      if (page.length < MARKETS_PER_PAGE) break;
    }
    if (added > 0) wake();
    return added;
  }

  async #addEdits({ marketId, seq }: MarketResolution): Promise<number> {
    const { store, clock } = this.#options;
    let added = 0;
    for (let after: string | undefined; ; ) {
      const query = { marketId, limit: POSTS_PER_PAGE };
      const posts = await store.postsOfMarket(after === undefined ? query : { ...query, after });
      const edits = posts.flatMap(
        (post) => postEdit(post, { cause: 'result', number: seq }, clock.now()) ?? [],
      );
      added += (await store.add(edits)).length;
      after = posts.at(-1)?.id;
      if (posts.length < POSTS_PER_PAGE) return added;
    }
  }
}
