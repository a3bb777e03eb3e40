import type { Alert } from '../../core/alerts/alert.ts';
import { walletPath } from '../../core/alerts/site-paths.ts';
import { counted, cutLine } from '../../core/base/text/formats.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { listPath, searchPath } from '../list-query.ts';
import { alertList, alertRow, type ListedAlert } from '../parts/alert-row.ts';
import { searchForm } from '../parts/filters.ts';
import { type ListedMarkets, marketList, marketRows } from './markets.ts';

/** Wallets that are listed at most. */
export const WALLETS_MAX = 20;

export interface SearchModel {
  readonly search: string;
  readonly markets: ListedMarkets;
  readonly wallets: readonly string[];
  /** The newest ones, and the number of all. */
  readonly bets: { readonly newest: readonly ListedAlert[]; readonly total: number };
  /** One that searches can find, for a search that has found nothing. */
  readonly example: Alert | null;
}

const SHOWN_LENGTH = 60;

/** What a search has found: markets, wallets, then bets. */
export function searchPage(model: SearchModel): Page {
  const { search, markets, wallets, bets } = model;
  const rows = marketRows(markets);
  const isNothing = rows.length + wallets.length + bets.total === 0;
  const text = cutLine(search, SHOWN_LENGTH);
  return {
    title: text === '' ? 'Search' : `Search: ${text}`,
    description: 'Markets, wallets and bets that a search has found.',
    path: searchPath(search),
    isIndexed: false,
    body: html`<div class="stack">
        <h1>${text === '' ? 'Search' : html`Search: <bdi>${text}</bdi>`}</h1>
        ${searchForm({ search })}
        ${isNothing && nothing(model)}
      </div>
      ${rows.length > 0 && section('markets', 'Markets', marketList(rows, ''))}
      ${wallets.length > 0 && section('wallets', 'Wallets', walletPart(wallets))}
      ${bets.total > 0 && section('bets', 'Bets', betPart(model))}`,
  };
}

function walletPart(wallets: readonly string[]): Html {
  return html`<ul class="wallets">
      ${wallets.map((wallet) => html`<li><a href="${walletPath(wallet)}"><code>${wallet}</code></a></li>`)}
    </ul>
    ${wallets.length === WALLETS_MAX && html`<p class="muted">At most ${WALLETS_MAX} are listed. Add digits to find others.</p>`}`;
}

function betPart({ search, bets: { newest, total } }: SearchModel): Html {
  const isMore = total > newest.length;
  return html`${alertList(newest.map((bet) => alertRow(bet)))}
    ${isMore && html`<p><a href="${listPath({ search })}">All ${counted(total, 'bet')}</a></p>`}`;
}

/** What to try. Each example finds something. */
function nothing({ search, example }: SearchModel): Html {
  const words = example && exampleWords(example.eventTitle);
  return html`${search !== '' && html`<p>Nothing found.</p>`}
    <p>You can search for:</p>
    <ul>
      <li>words of a market’s question, in any order${words && html`: ${exampleLink(words)}`}</li>
      <li>the number of an alert${example && html`: ${exampleLink(`#${example.id}`)}`}</li>
      <li>a wallet’s address, whole or shortened, such as 0x872c…41f0</li>
      <li>a link to a market, an event or a profile on Polymarket</li>
    </ul>`;
}

function exampleLink(search: string): Html {
  return html`<a href="${searchPath(search)}" rel="nofollow"><bdi>${search}</bdi></a>`;
}

/** The two longest words of a question. */
function exampleWords(question: string): string {
  const words = question.match(/[\p{L}\p{N}]{1,30}/gu) ?? [];
  return words
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 2)
    .join(' ');
}
