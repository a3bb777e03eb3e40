import { TYPE_NAMES } from '../../core/alerts/alert-names.ts';
import { cutText, dollars, oneLine, shortWallet } from '../../core/base/text/formats.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { CATEGORIES } from '../../core/trades/trade.ts';
import { attribute, type Html, html } from '../html.ts';
import { type ListFilter, type ListQuery, type ListSort, listPath } from '../list-query.ts';
import { categoryWords } from './labels.ts';

const SCORES = [40, 60, 80];
const SIZES = [1_000, 10_000, 50_000];
const SHOWN_SEARCH = 60;
/** The list, below what is above it: a chosen filter is seen at once. */
const LIST = '#list';

interface Chip {
  readonly name: keyof Filters;
  readonly value: unknown;
}

/** Each filter in words: a new one does not compile without them. */
const WORDS: { readonly [Name in keyof Filters]: (value: Filters[Name]) => string } = {
  category: categoryWords,
  categories: (categories) => categories.map(categoryWords).join(' or '),
  side: (side) => (side === 'BUY' ? 'Buys' : 'Sells'),
  min_position: (usdc) => `${dollars(usdc)} or more`,
  min_usdc: (usdc) => `Orders over ${dollars(usdc)}`,
  min_signal: (score) => `Score ${score}+`,
  alert_type: (type) => TYPE_NAMES[type],
  wallet: (address) => `Wallet ${shortWallet(address)}`,
  market: (name) => `Market ${cutText(oneLine(name), SHOWN_SEARCH)}`,
  resolved: (isResolved) => (isResolved ? 'Settled' : 'Open'),
  search: (text) => `“${cutText(oneLine(text), SHOWN_SEARCH)}”`,
};
type Filters = { [Name in keyof ListFilter]-?: NonNullable<ListFilter[Name]> };
const NAMES = Object.keys(WORDS) as (keyof Filters)[];

const GROUPS = [
  { label: 'Category', chips: chipsOf('category', CATEGORIES) },
  { label: 'Score', chips: chipsOf('min_signal', SCORES) },
  { label: 'Size', chips: chipsOf('min_position', SIZES) },
  { label: 'Kind', chips: chipsOf('alert_type', ALERT_TYPES) },
  { label: 'Result', chips: chipsOf('resolved', [false, true]) },
];

/** What narrows a list: the chosen filters, each with a way back, and all others in a sheet that unfolds. */
export function filterBar(query: ListQuery): Html {
  const chosen = NAMES.filter((name) => query[name] !== undefined);
  return html`<nav class="filters" aria-label="Filters">
    ${
      chosen.length === 0
        ? null
        : html`<ul class="chips" aria-label="Chosen">
          ${chosen.map((name) => html`<li>${removalOf(name, query)}</li>`)}
        </ul>`
    }
    <details class="sheet" name="sheet">
      <summary>Search, filters</summary>
      <div class="panel">
        ${GROUPS.map(({ label, chips }) => chipGroup(label, chips, query))} ${searchForm(query)}
      </div>
    </details>
  </nav>`;
}

/** The chosen filters in words, for a title; null without one. */
export function pageFilterWords(query: ListQuery): string | null {
  const words = NAMES.map((name) => wordsOf(name, query));
  return words.filter((text) => text !== '').join(', ') || null;
}

export const SORT_WORDS: Readonly<Record<ListSort, string>> = {
  strongest: 'Strongest',
  win: 'Most to win',
  put_in: 'Most put in',
};
const SORTS = [[undefined, 'Newest'], ...Object.entries(SORT_WORDS)] as const;

export function sortLinks(query: ListQuery): Html {
  const links = SORTS.map(([sort, label]) => {
    const path = listPath({ ...query, before_id: undefined, sort: sort as ListSort | undefined });
    return { label, path, isCurrent: sort === query.sort };
  });
  return orderLinks(links);
}

interface OrderLink {
  readonly label: string;
  readonly path: string;
  readonly isCurrent: boolean;
}

/** The orders of a list, as links to `#list`. */
export function orderLinks(links: readonly OrderLink[]): Html {
  return html`<ul class="sorts" aria-label="Order">
    ${links.map(({ label, path, isCurrent }) => {
      const current = attribute('aria-current', isCurrent ? 'true' : null);
      return html`<li><a href="${path}${LIST}" rel="nofollow"${current}>${label}</a></li>`;
    })}
  </ul>`;
}

function chipsOf<Name extends keyof Filters>(name: Name, values: readonly Filters[Name][]): readonly Chip[] {
  return values.map((value) => ({ name, value }));
}

function wordsOf<Name extends keyof Filters>(name: Name, query: ListQuery): string {
  const value = query[name];
  return value === undefined ? '' : WORDS[name](value as Filters[Name]);
}

function chipGroup(label: string, chips: readonly Chip[], query: ListQuery): Html {
  return html`<div class="group">
    <p class="muted small">${label}</p>
    <ul class="chips" aria-label="${label}">
      ${chips.map((chip) => html`<li>${chipLink(chip, query)}</li>`)}
    </ul>
  </div>`;
}

function chipLink({ name, value }: Chip, query: ListQuery): Html {
  const isOn = query[name] === value;
  const current = attribute('aria-current', isOn ? 'true' : null);
  const path = listPath(withFilter(query, { [name]: isOn ? undefined : value }));
  return html`<a href="${path}${LIST}" rel="nofollow"${current}>${wordsOf(name, { [name]: value })}</a>`;
}

function removalOf(name: keyof Filters, query: ListQuery): Html {
  const path = listPath(withFilter(query, { [name]: undefined }));
  return html`<a href="${path}${LIST}" rel="nofollow" aria-current="true"
    ><span class="hidden">Without </span>${wordsOf(name, query)} <span aria-hidden="true">×</span></a
  >`;
}

/** Another filter starts with its newest alerts. */
function withFilter(query: ListQuery, filter: ListQuery): ListQuery {
  return { ...query, ...filter, before_id: undefined };
}

/** Leads to a page, or to the list with these filters. */
export function searchForm({ search = '', before_id: _page, ...rest }: ListQuery = {}): Html {
  const kept = Object.entries(rest).filter(([, value]) => value !== undefined);
  return html`<form class="search" action="/search" method="get" role="search">
    ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}" />`)}
    <label class="hidden" for="search">Market, wallet or alert</label>
    <input
      id="search"
      type="search"
      name="search"
      maxlength="200"
      placeholder="Market, wallet, alert"
      value="${search}"
    />
    <button>Search</button>
  </form>`;
}
