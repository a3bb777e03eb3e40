import { LRUCache } from 'lru-cache';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { backoffMs, withoutJitter } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { readPositionId } from '../../../../core/trades/position-id.ts';
import { type Market, type Trade, UNKNOWN_OUTCOME } from '../../../../core/trades/trade.ts';
import { inBatches } from '../client/market-client.ts';
import type { MarketCatalogue } from './market-catalogue.ts';

/** The new markets of four to eight days (24,000 a day with two outcomes each). At most 126 MB (measured with events named differently from their markets). */
const MOST_TOKENS = 400_000;
const BATCH = 25;
/** A market is traded within seconds of its creation; Gamma may list it later. */
const ASK_AGAIN = { firstMs: 5 * SECOND_MS, mostMs: 10 * MINUTE_MS };
const MOST_UNKNOWN = 20_000;

/** The market and outcome of a token. Unknown parts are an empty text or the index 999. */
export interface TokenMarket {
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
  readonly eventSlug: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
}

interface Unknown {
  readonly misses: number;
  readonly askAgainAt: EpochMs;
}

/** The markets of tokens, as Gamma and trades describe them. The least recently used are forgotten first. */
export class TokenCatalogue {
  readonly #markets: Pick<MarketCatalogue, 'describe' | 'describeTokens'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failures: FailureLog;
  readonly #tokens = new LRUCache<string, TokenMarket>({ max: MOST_TOKENS });
  readonly #unknown = new LRUCache<string, Unknown>({ max: MOST_UNKNOWN });

  constructor(
    markets: Pick<MarketCatalogue, 'describe' | 'describeTokens'>,
    clock: Pick<Clock, 'now'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.#markets = markets;
    this.#clock = clock;
    this.#failures = new FailureLog(logger, 'token lookup failed; retrying');
  }

  get(tokenId: string): TokenMarket | null {
    return this.#tokens.get(tokenId) ?? null;
  }

  /** The market's own row replaces what trades said, except where it says nothing. */
  learnMarket({ id, question, slug, eventSlug: event, outcomes, tokenIds }: Market): void {
    // Most markets are an event of their own: one string in memory for both.
    const eventSlug = event === slug ? slug : (event ?? '');
    for (const [outcomeIndex, tokenId] of tokenIds.entries()) {
      if (tokenId === '') continue;
      const said = { marketId: id, title: question, slug, eventSlug };
      const told = this.#tokens.get(tokenId);
      this.#tokens.set(tokenId, { ...said, outcome: outcomes[outcomeIndex] ?? '', outcomeIndex });
      if (told !== undefined) this.#fill(tokenId, told);
    }
  }

  learn({ asset, marketId, title, slug, eventSlug, outcome, outcomeIndex }: Trade): void {
    this.#fill(asset, { marketId, title, slug, eventSlug: eventSlug ?? '', outcome, outcomeIndex });
  }

  /**
   * Asks Gamma for the unknown ones of the tokens, in batches of 25. A token that stays unknown is asked for again after 5
   * seconds at the soonest, then after ever longer, up to 10 minutes. Never rejects: the first failure in a row is logged,
   * and the next call asks again.
   */
  async lookUp(tokenIds: readonly string[], signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const isDue = (id: string) => !this.#tokens.has(id) && now >= (this.#unknown.get(id)?.askAgainAt ?? 0);
    try {
      for (const batch of inBatches([...new Set(tokenIds)].filter(isDue), BATCH)) {
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
    const marketIds = tokenIds.flatMap((id) => readPositionId(id)?.marketId ?? []);
    if (marketIds.length > 0) await this.#markets.describe([...new Set(marketIds)], signal);
    const missing = () => tokenIds.filter((id) => !this.#tokens.has(id));
    if (missing().length > 0) await this.#markets.describeTokens(missing(), signal);
    for (const id of missing()) this.#missed(id);
  }

  /** A market of Protocol V2 that Gamma does not describe is known by its id alone, without texts. */
  #missed(tokenId: string): void {
    const position = readPositionId(tokenId);
    if (position !== null) {
      this.#fill(tokenId, { ...position, title: '', slug: '', eventSlug: '', outcome: '' });
      return;
    }
    const misses = (this.#unknown.get(tokenId)?.misses ?? 0) + 1;
    const askAgainAt = this.#clock.now() + backoffMs(ASK_AGAIN, misses, withoutJitter);
    this.#unknown.set(tokenId, { misses, askAgainAt });
  }

  #fill(tokenId: string, said: TokenMarket): void {
    const known = this.#tokens.get(tokenId);
    if (known === undefined) this.#tokens.set(tokenId, said);
    else if (known.marketId === said.marketId)
      this.#tokens.set(tokenId, {
        marketId: known.marketId,
        title: known.title || said.title,
        slug: known.slug || said.slug,
        eventSlug: known.eventSlug || said.eventSlug,
        outcome: known.outcome || said.outcome,
        outcomeIndex: known.outcomeIndex === UNKNOWN_OUTCOME ? said.outcomeIndex : known.outcomeIndex,
      });
  }
}
