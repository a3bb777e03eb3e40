import { TYPE_NAMES } from '../../core/alerts/alert-names.ts';
import type { BetCounts } from '../../core/alerts/figures/figures.ts';
import { cutLine, dollars, grouped, shortWallet } from '../../core/base/text/formats.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { CATEGORIES } from '../../core/trades/trade.ts';
import { attribute, type Html, html } from '../html.ts';
import {
  type ListFilter,
  type ListQuery,
  type ListSort,
  listPath,
  orderOf,
  WINDOW_DAYS,
  type WindowDays,
} from '../list-query.ts';
import { categoryWords } from './labels.ts';

const SCORES = [40, 60, 80];
/** From 1,000 USDC on a bet leads to an alert. */
const SIZES = [10_000, 50_000];
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
  market: (name) => `Market ${cutLine(name, SHOWN_SEARCH)}`,
  resolved: (isResolved) => (isResolved ? 'Settled' : 'Open'),
  search: (text) => `“${cutLine(text, SHOWN_SEARCH)}”`,
};
type Filters = { [Name in keyof ListFilter]-?: NonNullable<ListFilter[Name]> };
const NAMES = Object.keys(WORDS) as (keyof Filters)[];

const GROUPS = [
  { label: 'Score', chips: chipsOf('min_signal', SCORES) },
  { label: 'Put in', chips: chipsOf('min_position', SIZES) },
  { label: 'Type', chips: chipsOf('alert_type', ALERT_TYPES) },
  { label: 'Result', chips: chipsOf('resolved', [false, true]) },
];

/** All that narrows the list, in a sheet that unfolds. */
export function filterSheet(query: ListQuery, bets: BetCounts): Html {
  return html`<nav class="filters" aria-label="Filters">
    <details class="sheet" name="sheet">
      <summary>Filter</summary>
      <div class="panel">
        ${categoryGroup(query, bets)}
        ${GROUPS.map(({ label, chips }) =>
          chipGroup(
            label,
            chips.map((chip) => chipLink(chip, query)),
          ),
        )}
      </div>
    </details>
  </nav>`;
}

/** The chosen filters, each with a way back; null without one. */
export function chosenFilters(query: ListQuery): Html | null {
  const chosen = NAMES.filter((name) => query[name] !== undefined);
  if (chosen.length === 0) return null;
  return html`<ul class="chips" aria-label="Chosen filters">
    ${chosen.map((name) => html`<li>${removalOf(name, query)}</li>`)}
  </ul>`;
}

/** The chosen filters in words, for a title; null without one. */
export function pageFilterWords(query: ListQuery): string | null {
  const words = NAMES.map((name) => wordsOf(name, query));
  return words.filter((text) => text !== '').join(', ') || null;
}

export const ORDER_WORDS: Readonly<Record<ListSort, string>> = {
  strongest: 'Strongest',
  newest: 'Newest',
  ending: 'Ending soon',
};

export function orderTabs(query: ListQuery): Html {
  const links = Object.entries(ORDER_WORDS).map(([sort, label]) => {
    const path = listPath({ ...query, before_id: undefined, sort: sort as ListSort });
    return { label, path, isCurrent: sort === orderOf(query) };
  });
  return orderLinks(links);
}

export const WINDOW_WORDS: Readonly<Record<WindowDays, string>> = {
  1: '24 h',
  7: '7 days',
  30: '30 days',
};

/** The windows of the strongest. */
export function windowLinks(query: ListQuery, shown: WindowDays): Html {
  const links = WINDOW_DAYS.map((days) => {
    return { label: WINDOW_WORDS[days], path: listPath({ ...query, days }), isCurrent: days === shown };
  });
  return orderLinks(links, 'Window');
}

interface OrderLink {
  readonly label: string;
  readonly path: string;
  readonly isCurrent: boolean;
}

/** The orders of a list, or its windows, as links to `#list`. */
export function orderLinks(links: readonly OrderLink[], name = 'Order'): Html {
  return html`<ul class="sorts" aria-label="${name}">
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

/** Those in which something was bet lately, and the chosen one. */
function categoryGroup(query: ListQuery, bets: BetCounts): Html | null {
  const chips = CATEGORIES.filter((category) => bets[category] > 0 || category === query.category).map(
    (value) => chipLink({ name: 'category', value }, query, bets[value]),
  );
  return chips.length === 0 ? null : chipGroup('Category, bets in 30 days', chips);
}

function chipGroup(label: string, chips: readonly Html[]): Html {
  return html`<div class="group">
    <p class="muted small">${label}</p>
    <ul class="chips" aria-label="${label}">
      ${chips.map((chip) => html`<li>${chip}</li>`)}
    </ul>
  </div>`;
}

function chipLink({ name, value }: Chip, query: ListQuery, bets: number | null = null): Html {
  const isOn = query[name] === value;
  const current = attribute('aria-current', isOn ? 'true' : null);
  const path = listPath(withFilter(query, { [name]: isOn ? undefined : value }));
  const count = bets === null ? '' : ` ${grouped(bets)}`;
  return html`<a href="${path}${LIST}" rel="nofollow"${current}>${wordsOf(name, { [name]: value })}${count}</a>`;
}

function removalOf(name: keyof Filters, query: ListQuery): Html {
  const path = listPath(withFilter(query, { [name]: undefined }));
  return html`<a href="${path}${LIST}" rel="nofollow" aria-current="true"
    ><span class="hidden">Without </span>${wordsOf(name, query)} <span aria-hidden="true">×</span></a
  >`;
}

/** Another filter keeps the order, and starts with its first page. */
function withFilter(query: ListQuery, filter: ListQuery): ListQuery {
  return { ...query, sort: orderOf(query), ...filter, before_id: undefined };
}

/** Leads to what a text names, or to a page of what it finds. */
export function searchForm({ search = '' }: Pick<ListQuery, 'search'> = {}): Html {
  return html`<form class="search" action="/search" method="get" role="search">
    <input type="search" name="search" maxlength="200" aria-label="Market, wallet or alert" placeholder="Market, wallet, alert" value="${search}" />
    <button>Search</button>
  </form>`;
}
