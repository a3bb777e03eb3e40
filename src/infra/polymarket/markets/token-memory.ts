import { LRUCache } from 'lru-cache';
import { type Market, type Trade, UNKNOWN_OUTCOME } from '../../../core/trade.ts';

/** The new markets of four to eight days (24,000 a day, of two outcomes each); 126 MB as measured, where no event is named as its market. */
const MOST_TOKENS = 400_000;

/** What a token is a share of. What is not known of it is an empty text, or the index 999. */
export interface TokenMarket {
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
  readonly eventSlug: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
}

/** Remembers what tokens are shares of; those longest unused are forgotten first. */
export class TokenMemory {
  readonly #tokens = new LRUCache<string, TokenMarket>({ max: MOST_TOKENS });

  /** Null for a token whose market is not known. */
  get(tokenId: string): TokenMarket | null {
    return this.#tokens.get(tokenId) ?? null;
  }

  /** The market's own row has the last word. */
  learnMarket({ id, question, slug, eventSlug: event, outcomes, tokenIds }: Market): void {
    // Most markets are an event of their own: one text for both.
    const eventSlug = event === slug ? slug : (event ?? '');
    for (const [outcomeIndex, tokenId] of tokenIds.entries()) {
      const outcome = outcomes[outcomeIndex] ?? '';
      if (tokenId !== '')
        this.#tokens.set(tokenId, { marketId: id, title: question, slug, eventSlug, outcome, outcomeIndex });
    }
  }

  /** Takes what is not known yet, and leaves out what the trade does not say. */
  learn({ asset, marketId, title, slug, eventSlug, outcome, outcomeIndex }: Trade): void {
    this.fill(asset, { marketId, title, slug, eventSlug: eventSlug ?? '', outcome, outcomeIndex });
  }

  /** Adds to what is known of the token; contradicts none of it. */
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
