/** Paths of the site's pages, from its root. */

/** Longer ones are cut off by servers and clients on the way. */
const SLUG_MAX = 300;

/** The page of an alert. */
export function alertPath(id: number): string {
  return `/alerts/${id}`;
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
