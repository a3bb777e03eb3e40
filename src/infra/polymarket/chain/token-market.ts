/** What a token id names. */
export interface TokenMarket {
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
}

/** The tokens' catalogue, as far as the chain needs it. */
export interface TokenCatalogue {
  get(tokenId: string): TokenMarket | null;
  /** Asks the market, in batches; what stays unknown stays absent. */
  lookUp(tokenIds: readonly string[], signal: AbortSignal): Promise<void>;
}
