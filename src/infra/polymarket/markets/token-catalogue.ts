import { LRUCache } from 'lru-cache';
import { backoffMs, withoutJitter } from '../../../core/async/backoff.ts';
import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import { readPositionId } from '../../../core/position-id.ts';
import type { EpochMs, Trade } from '../../../core/trade.ts';
import { inBatches } from '../in-batches.ts';
import type { MarketCatalogue } from './market-catalogue.ts';
import type { TokenMarket, TokenMemory } from './token-memory.ts';

/** Tokens asked for at once: the ids of one request. */
const BATCH = 25;
/** A market is traded within seconds of its creation, and may be listed by Gamma somewhat later. */
const ASK_AGAIN = { firstMs: 5 * SECOND_MS, mostMs: 10 * MINUTE_MS };
const MOST_UNKNOWN = 20_000;

/** What tokens are shares of. */
export interface TokenCatalogue {
  /** Null for a token whose market is not known. An empty text, or the index 999, is not known of it. */
  get(tokenId: string): TokenMarket | null;
  /** Takes what a trade of another source says of its token. */
  learn(trade: Trade): void;
  /**
   * Asks Gamma for those of the tokens that are not known, in batches of 25; what stays unknown stays absent, and is asked for
   * again 5 seconds later at the soonest, then ever later, up to 10 minutes. Never rejects: a failure is logged when it
   * begins, and the next call asks again.
   */
  lookUp(tokenIds: readonly string[], signal: AbortSignal): Promise<void>;
}

interface CatalogueDeps {
  readonly memory: TokenMemory;
  readonly markets: Pick<MarketCatalogue, 'describe' | 'describeTokens'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** A token that Gamma does not know. */
interface Unknown {
  readonly misses: number;
  readonly askAgainAt: EpochMs;
}

/** The tokens of the markets that Gamma describes; `memory` learns from each description. */
export class GammaTokens implements TokenCatalogue {
  readonly #memory: TokenMemory;
  readonly #markets: CatalogueDeps['markets'];
  readonly #clock: CatalogueDeps['clock'];
  readonly #logger: Logger;
  readonly #asked = new Map<string, Promise<void>>();
  readonly #unknown = new LRUCache<string, Unknown>({ max: MOST_UNKNOWN });
  #isFailing = false;

  constructor({ memory, markets, clock, logger }: CatalogueDeps) {
    this.#memory = memory;
    this.#markets = markets;
    this.#clock = clock;
    this.#logger = logger;
  }

  get(tokenId: string): TokenMarket | null {
    return this.#memory.get(tokenId);
  }

  learn(trade: Trade): void {
    this.#memory.learn(trade);
  }

  async lookUp(tokenIds: readonly string[], signal: AbortSignal): Promise<void> {
    const wanted = new Set(tokenIds.filter((id) => this.#isDue(id)));
    const inFlight = [...wanted].flatMap((id) => this.#asked.get(id) ?? []);
    const fresh = [...wanted].filter((id) => !this.#asked.has(id));
    const asking = this.#askAll(fresh, signal).finally(() => {
      for (const id of fresh) this.#asked.delete(id);
    });
    for (const id of fresh) this.#asked.set(id, asking);
    await Promise.all([...new Set(inFlight), asking]);
  }

  #isDue(tokenId: string): boolean {
    if (this.#memory.get(tokenId) !== null) return false;
    return this.#clock.now() >= (this.#unknown.get(tokenId)?.askAgainAt ?? 0);
  }

  async #askAll(tokenIds: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      for (const batch of inBatches(tokenIds, BATCH)) {
        if (signal.aborted) return;
        await this.#ask(batch, signal);
        this.#isFailing = false;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!this.#isFailing) this.#logger.warn({ err: error }, 'tokens cannot be looked up for now; retrying');
      this.#isFailing = true;
    }
  }

  /** A token of Protocol V2 names its market; whether Gamma finds it by `clob_token_ids` no document says. */
  async #ask(tokenIds: readonly string[], signal: AbortSignal): Promise<void> {
    const marketIds = tokenIds.flatMap((id) => readPositionId(id)?.marketId ?? []);
    if (marketIds.length > 0) await this.#markets.describe([...new Set(marketIds)], signal);
    const missing = () => tokenIds.filter((id) => this.#memory.get(id) === null);
    if (missing().length > 0) await this.#markets.describeTokens(missing(), signal);
    for (const id of missing()) this.#missed(id);
  }

  /** A market of Protocol V2 that Gamma does not describe is known all the same, without its words. */
  #missed(tokenId: string): void {
    const position = readPositionId(tokenId);
    if (position !== null) {
      this.#memory.fill(tokenId, { ...position, title: '', slug: '', eventSlug: '', outcome: '' });
      return;
    }
    const misses = (this.#unknown.get(tokenId)?.misses ?? 0) + 1;
    const askAgainAt = this.#clock.now() + backoffMs(ASK_AGAIN, misses, withoutJitter);
    this.#unknown.set(tokenId, { misses, askAgainAt });
  }
}
