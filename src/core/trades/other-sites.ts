/** The addresses of pages of other sites. Nothing else writes one, so that each is an address that its site serves. */

const MARKET_SITE = 'https://polymarket.com';
const EXPLORER = 'https://polygonscan.com';
/** Characters of a question or slug in an address: those of the market are shorter. */
const LONGEST = 300;

/** What a market's page is found by. */
export interface LinkedMarket {
  readonly eventTitle: string;
  /** The slug of the market itself. */
  readonly eventSlug: string;
  /** The slug of its event; null while unknown. */
  readonly marketEvent: string | null;
}

/**
 * The page of a market: `/event/EVENT/MARKET`, or `/event/EVENT` where it is the only market of its event. Its own slug alone
 * leads nowhere: `/market/SLUG` is a 404 for every market, `/event/SLUG` for one of several (Polymarket/py-sdk#57, ts-sdk#99).
 * So while the event is unknown the address is a search for the question.
 */
export function marketAddress({ eventTitle, eventSlug, marketEvent }: LinkedMarket): string {
  if (marketEvent === null || !isSegment(marketEvent))
    return `${MARKET_SITE}/search?_q=${encoded(eventTitle.slice(0, LONGEST))}`;
  const event = `${MARKET_SITE}/event/${encoded(marketEvent)}`;
  return marketEvent === eventSlug || !isSegment(eventSlug) ? event : `${event}/${encoded(eventSlug)}`;
}

/** The page of a wallet. */
export function walletAddress(wallet: string): string {
  return `${MARKET_SITE}/profile/${encoded(wallet)}`;
}

/** The page of a wallet's activity on the chain. */
export function chainAddress(wallet: string): string {
  return `${EXPLORER}/address/${encoded(wallet)}`;
}

/** Whether a text can be a part of a path: dots are lost when the address is resolved, and no address is endless. */
function isSegment(slug: string): boolean {
  return slug !== '' && slug.length <= LONGEST && slug !== '.' && slug !== '..';
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
