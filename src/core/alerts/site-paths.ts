import type { Alert } from './alert.ts';

/** Paths of the site's pages, from its root. */

/** Longer ones are cut off by servers and clients on the way. */
const SLUG_MAX = 300;
/** Changes with the look of cards: who keeps pictures by address asks again. */
const CARD_VERSION = 1;

/** The page of an alert. */
export function alertPath(id: number): string {
  return `/alerts/${id}`;
}

/** The picture of an alert. Its query changes with the result, so that it can be kept by address. */
export function cardPath({ id, resolution }: Pick<Alert, 'id' | 'resolution'>): string {
  const result = resolution === null ? 'open' : `paid-${resolution.payout}`;
  return `${alertPath(id)}.png?v=${CARD_VERSION}-${result}`;
}

/** The page of a market. Null if its slug cannot be a part of a path. */
export function marketPath(slug: string): string | null {
  const isUsable = slug !== '' && slug !== '.' && slug !== '..' && slug.length <= SLUG_MAX;
  return isUsable ? `/markets/${encodeURIComponent(slug.toWellFormed())}` : null;
}

/** The page of a wallet. `address`: in any case. */
export function walletPath(address: string): string {
  return `/wallets/${encodeURIComponent(address.toLowerCase().toWellFormed())}`;
}
