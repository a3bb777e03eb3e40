import { SPORTS_TAGS } from '../trades/classification/tag-table.ts';
import { hasPhrase, phraseList, toWords } from '../trades/classification/word-match.ts';

/** What the filter reads of a market; tags are slugs in any case. */
export interface FilterableMarket {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
}

/** Which kinds of market lead to no alert. */
export interface IgnoreOptions {
  /** Leave out up/down markets and price markets that live for less than a day. */
  readonly ignorePriceMarkets: boolean;
  /** Leave out what carries a sports or esports tag. */
  readonly ignoreSports: boolean;
}

/**
 * Whether trades of this market are never judged (detection.md, rule "ignore"): up/down markets of any length,
 * price markets that end at an hour of a day ("Bitcoin above 95,000 on November 21, 3PM ET?"), and, as an option,
 * sports by tag. A price market of a whole day or longer ("Bitcoin above 95,000 on November 21?", "Will Bitcoin reach
 * $200k in 2026?") is kept: it opens days ahead. Pure, never throws; meant to be called once per market and remembered.
 */
export function isIgnoredMarket(market: FilterableMarket, options: IgnoreOptions): boolean {
  const tags = market.tags.map((tag) => tag.trim().toLowerCase());
  if (options.ignoreSports && tags.some((tag) => SPORTS_TAGS.has(tag))) return true;
  if (!options.ignorePriceMarkets) return false;
  return tags.some((tag) => UP_DOWN_TAGS.has(tag)) || isShortPriceMarket(market.title, market.slug);
}

/** Tags of the recurring series, in Gamma's form (some in capitals: `15M`). */
const UP_DOWN_TAGS: ReadonlySet<string> = new Set([
  'up-or-down',
  'finance-updown',
  '5m',
  '15m',
  '1h',
  '4h',
  'hourly',
]);

function isShortPriceMarket(title: string, slug: string): boolean {
  return [toWords(title), toWords(slug)].some(
    (words) =>
      UP_DOWN.test(words) ||
      UP_DOWN_SERIES.test(words) ||
      (CLOCK_TIME.test(words) && ASSETS.some((asset) => hasPhrase(words, asset)) && PRICE.test(words)),
  );
}

/** "Bitcoin Up or Down - …", `spx-opens-up-or-down-on-…`; an "up or down vote" is politics. */
const UP_DOWN = / up or down (?!votes? )/;
/** `btc-updown-15m-1763755200`. */
const UP_DOWN_SERIES = / updown /;
/** "3PM ET", "8:40PM-8:45PM ET", `-3pm-et`. */
const CLOCK_TIME = / \d{1,2}( \d{2})? ?[ap]m (e[sd]?t|utc) /;
const ASSETS = phraseList(`
  bitcoin, btc, ethereum, eth, solana, sol, xrp, dogecoin, doge, bnb, hyperliquid, hype, litecoin, cardano, zcash,
  spx, s p 500, nasdaq, ndx, gold, silver, oil, wti, price
`);
const PRICE = / (above|below|between|greater|less|higher|lower|over|under|reach|hit|dip|price|close|closes) /;
