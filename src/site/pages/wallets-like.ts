import { walletPath } from '../../core/alerts/site-paths.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { likePath } from '../list-query.ts';
import { searchForm } from '../parts/filters.ts';

interface WalletsLike {
  readonly wallets: readonly string[];
  readonly isMore: boolean;
}

/** The wallets whose addresses begin, and end, as in `0x872c…41f0`. */
export function walletsLikePage(like: string, { wallets, isMore }: WalletsLike): Page {
  const title = `Wallets like ${like}`;
  return {
    title,
    description: `The wallets in alerts whose addresses are like ${like}.`,
    path: likePath(like),
    isIndexed: false,
    body: html`<div class="stack">
      <p class="muted small"><a href="/">Alerts</a> · Search</p>
      <h1>${title}</h1>
      ${searchForm({ search: like })} ${likeList(wallets)}
      ${isMore ? html`<p class="muted">These are the first ${wallets.length}: with more digits there are fewer.</p>` : null}
    </div>`,
  };
}

function likeList(wallets: readonly string[]): Html {
  if (wallets.length === 0) return html`<p>No alert is about a wallet with such an address.</p>`;
  return html`<ul class="wallets">
    ${wallets.map((wallet) => html`<li><a href="${walletPath(wallet)}"><code>${wallet}</code></a></li>`)}
  </ul>`;
}
