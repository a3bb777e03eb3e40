import { LRUCache } from 'lru-cache';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { backoffMs, withoutJitter } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { readPositionId } from '../../../../core/trades/position-id.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { inBatches } from '../batches.ts';
import type { MarketCatalogue } from './market-catalogue.ts';
import type { TokenMarket, TokenMemory } from './token-memory.ts';

/** Token ids per request. */
const BATCH = 25;
/** A market is traded within seconds of its creation; Gamma may list it later. */
const ASK_AGAIN = { firstMs: 5 * SECOND_MS, mostMs: 10 * MINUTE_MS };
const MOST_UNKNOWN = 20_000;

interface CatalogueOptions {
  /** Learns from each market that is described. */
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

/** The markets of tokens, as Gamma describes them. */
export class TokenCatalogue {
  readonly #options: CatalogueOptions;
  readonly #failures: FailureLog;
  readonly #asked = new Map<string, Promise<void>>();
  readonly #unknown = new LRUCache<string, Unknown>({ max: MOST_UNKNOWN });

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, 'token lookup failed; retrying');
  }

  /** Null for a token whose market is unknown. Unknown parts of it are an empty text or the index 999. */
  get(tokenId: string): TokenMarket | null {
    return this.#options.memory.get(tokenId);
  }

  /** Takes what a trade of another source says of its token. */
  learn(trade: Trade): void {
    this.#options.memory.learn(trade);
  }

  /**
   * Asks Gamma for the unknown ones of the tokens, in batches of 25. A token that stays unknown is asked for again after 5
   * seconds at the soonest, then after ever longer, up to 10 minutes. Never rejects: the first failure in a row is logged,
   * and the next call asks again.
   */
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
    if (this.#options.memory.get(tokenId) !== null) return false;
    return this.#options.clock.now() >= (this.#unknown.get(tokenId)?.askAgainAt ?? 0);
  }

  async #askAll(tokenIds: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      for (const batch of inBatches(tokenIds, BATCH)) {
        if (signal.aborted) return;
        await this.#ask(batch, signal);
        this.#failures.succeeded();
      }
    } catch (error) {
      if (!signal.aborted) this.#failures.failed(error);
    }
  }

  /** A token of Protocol V2 contains its market's id; it is not documented whether Gamma finds it by `clob_token_ids`. */
  async #ask(tokenIds: readonly string[], signal: AbortSignal): Promise<void> {
    const { memory, markets } = this.#options;
    const marketIds = tokenIds.flatMap((id) => readPositionId(id)?.marketId ?? []);
    if (marketIds.length > 0) await markets.describe([...new Set(marketIds)], signal);
    const missing = () => tokenIds.filter((id) => memory.get(id) === null);
    if (missing().length > 0) await markets.describeTokens(missing(), signal);
    for (const id of missing()) this.#missed(id);
  }

  /** A market of Protocol V2 that Gamma does not describe is known by its id alone, without texts. */
  #missed(tokenId: string): void {
    const position = readPositionId(tokenId);
    if (position !== null) {
      this.#options.memory.fill(tokenId, { ...position, title: '', slug: '', eventSlug: '', outcome: '' });
      return;
    }
    const misses = (this.#unknown.get(tokenId)?.misses ?? 0) + 1;
    const askAgainAt = this.#options.clock.now() + backoffMs(ASK_AGAIN, misses, withoutJitter);
    this.#unknown.set(tokenId, { misses, askAgainAt });
  }
}
