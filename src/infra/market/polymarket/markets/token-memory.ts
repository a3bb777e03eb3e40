import { LRUCache } from 'lru-cache';
import { type Market, type Trade, UNKNOWN_OUTCOME } from '../../../../core/trades/trade.ts';

/** The new markets of four to eight days (24,000 a day with two outcomes each). At most 126 MB (measured with events named differently from their markets). */
const MOST_TOKENS = 400_000;

/** The market and outcome of a token. Unknown parts are an empty text or the index 999. */
export interface TokenMarket {
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
  readonly eventSlug: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
}

/** Remembers the markets of tokens. The least recently used are forgotten first. */
export class TokenMemory {
  readonly #tokens = new LRUCache<string, TokenMarket>({ max: MOST_TOKENS });

  /** Null for a token whose market is not known. */
  get(tokenId: string): TokenMarket | null {
    return this.#tokens.get(tokenId) ?? null;
  }

  /** The market's own row replaces what trades said. */
  learnMarket({ id, question, slug, eventSlug: event, outcomes, tokenIds }: Market): void {
    // Most markets are an event of their own: one string in memory for both.
    const eventSlug = event === slug ? slug : (event ?? '');
    for (const [outcomeIndex, tokenId] of tokenIds.entries()) {
      const outcome = outcomes[outcomeIndex] ?? '';
      if (tokenId !== '')
        this.#tokens.set(tokenId, { marketId: id, title: question, slug, eventSlug, outcome, outcomeIndex });
    }
  }

  /** Adds what a trade says of its token. */
  learn({ asset, marketId, title, slug, eventSlug, outcome, outcomeIndex }: Trade): void {
    this.fill(asset, { marketId, title, slug, eventSlug: eventSlug ?? '', outcome, outcomeIndex });
  }

  /** Adds what is unknown of the token, and changes nothing that is known. */
  fill(tokenId: string, said: TokenMarket): void {
    const known = this.#tokens.get(tokenId);
    if (known === undefined) this.#tokens.set(tokenId, said);
    else if (!isComplete(known) && known.marketId === said.marketId)
      this.#tokens.set(tokenId, {
        marketId: known.marketId,
        title: known.title || said.title,
        slug: known.slug || said.slug,
        eventSlug: known.eventSlug || said.eventSlug,
        outcome: known.outcome || said.outcome,
        outcomeIndex: known.outcomeIndex === UNKNOWN_OUTCOME ? said.outcomeIndex : known.outcomeIndex,
      });
  }

  get size(): number {
    return this.#tokens.size;
  }
}

function isComplete({ title, slug, eventSlug, outcome, outcomeIndex }: TokenMarket): boolean {
  const hasWords = title !== '' && slug !== '' && eventSlug !== '' && outcome !== '';
  return hasWords && outcomeIndex !== UNKNOWN_OUTCOME;
}
