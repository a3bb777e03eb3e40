import type { Alert } from './alert.ts';
import type { Exit } from './exits/exit.ts';

/** Paths of the site's pages, from its root. */

/** Servers and clients on the way may truncate longer ones. */
const SLUG_MAX = 300;
/** Changes with the look of cards, so that caches keyed by address fetch them again. */
const CARD_VERSION = 3;

/** The page that lists markets. */
export const MARKETS_PATH = '/markets';
/** The page of a search. */
export const SEARCH_PATH = '/search';

/** The page of an alert. */
export function alertPath(id: number): string {
  return `/alerts/${id}`;
}

type CardAlert = Pick<Alert, 'id' | 'resolution'>;
/** The last exit of an alert's thread; null without one. */
type CardExit = Pick<Exit, 'number'> | null;

/** The picture of an alert. Its query changes with a sale and the result, so that it can be kept by address. */
export function cardPath(alert: CardAlert, exit: CardExit): string {
  return `${alertPath(alert.id)}.png${versionOf(alert, exit)}`;
}

/** The data of the page of an alert. */
export function alertJsonPath(id: number): string {
  return `${alertPath(id)}.json`;
}

/** The page of an alert for chats that keep a preview by address: the query has no effect, and changes with the picture. */
export function previewPath(alert: CardAlert, exit: CardExit): string {
  return `${alertPath(alert.id)}${versionOf(alert, exit)}`;
}

/** The page of a market. Null if its slug cannot be a part of a path. */
export function marketPath(slug: string): string | null {
  const isUsable = slug !== '' && slug !== '.' && slug !== '..' && slug.length <= SLUG_MAX;
  return isUsable ? `/markets/${encodeURIComponent(slug.toWellFormed())}` : null;
}

function versionOf({ resolution }: CardAlert, exit: CardExit): string {
  const sold = exit === null ? '' : `-exit-${exit.number}`;
  return `?v=${CARD_VERSION}-${resolution === null ? 'open' : `paid-${resolution.payout}`}${sold}`;
}

/** The page of a wallet. `address`: in any case. */
export function walletPath(address: string): string {
  return `/wallets/${encodeURIComponent(address.toLowerCase().toWellFormed())}`;
}
