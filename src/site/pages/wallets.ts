import { walletPath } from '../../core/alerts/site-paths.ts';
import { counted, dollars } from '../../core/base/text/formats.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { type WalletsQuery, walletsPath } from '../list-query.ts';
import { alertList, alertRow, type ListedAlert, newsLine } from '../parts/alert-row.ts';
import { orderLinks, searchForm } from '../parts/filters.ts';

/** Enough to find a page of wallets: some have several alerts, some sold, and clusters are not one wallet's. */
export const ALERTS_READ = 100;

const ORDERS = [
  [undefined, 'Put in'],
  ['newest', 'Newest'],
] as const;

const ABOUT =
  'Positions of single wallets with alerts, in markets that are not settled, which the wallets still hold as far as their trades show.';

/** A wallet with the alert of one of its open positions: of the largest, or the newest. */
export interface ListedWallet extends ListedAlert {
  /** Its positions that were looked at, and their sum. */
  readonly open: number;
  readonly usdc: number;
}

/** Never ordered by results. */
export function walletsPage(query: WalletsQuery, wallets: readonly ListedWallet[]): Page {
  const { sort } = query;
  return {
    title: sort === undefined ? 'Wallets with open positions' : 'Wallets with open positions: newest',
    description: ABOUT,
    path: walletsPath(query),
    isIndexed: false,
    topics: [TOPICS.alerts],
    body: html`<div class="stack">
        <h1>Wallets with open positions</h1>
        <p class="muted">${sort === undefined ? 'Largest' : 'Newest'} open bets, as far as trades show. Not ranked by results: luck would top the list.</p>
        ${searchForm()}
      </div>
      <section class="stack" id="list" aria-labelledby="list-title">
        <div class="list-head">
          <h2 id="list-title" data-live>${counted(wallets.length, 'wallet')}</h2>
          ${orderLinks(
            ORDERS.map(([name, label]) => {
              return { label, path: walletsPath({ sort: name }), isCurrent: name === sort };
            }),
          )}
        </div>
        <div id="positions" data-live="list">${newsLine('position')} ${alertList(
          wallets.map((row) => alertRow(row, { walletNote: sort === undefined ? sumOf(row) : '' })),
          'No wallet with an alert holds an open position.',
        )}</div>
      </section>`,
  };
}

/** Of several positions; that of one is in its row. */
function sumOf({ open, usdc }: ListedWallet): string {
  return open > 1 ? `${dollars(usdc)} in ${counted(open, 'open bet')}, the largest:` : '';
}

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
    path: walletsPath({ like }),
    isIndexed: false,
    body: html`<div class="stack">
      <p class="muted small"><a href="/wallets">Wallets</a> · Search</p>
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
