import { cutText, dollars, oneLine, shortWallet } from '../../core/base/text/formats.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { CATEGORIES } from '../../core/trades/trade.ts';
import { attribute, type Html, html } from '../html.ts';
import { type ListQuery, listPath } from '../list-query.ts';
import { categoryWords, TYPE_WORDS } from './labels.ts';

const SCORES = [40, 60, 80];
const SHOWN_SEARCH = 60;

interface Chip {
  readonly label: string;
  readonly name: keyof Filters;
  readonly value: unknown;
}

/** Each filter in words: a new one does not compile without them. */
const WORDS: { readonly [Name in keyof Filters]: (value: Filters[Name]) => string } = {
  category: categoryWords,
  categories: (categories) => categories.map(categoryWords).join(' or '),
  side: (side) => (side === 'BUY' ? 'Buys' : 'Sells'),
  min_usdc: (usdc) => `Over ${dollars(usdc)}`,
  min_signal: (score) => `Score ${score}+`,
  alert_type: (type) => TYPE_WORDS[type],
  wallet: (address) => `Wallet ${shortWallet(address)}`,
  market: (name) => `Market ${cutText(oneLine(name), SHOWN_SEARCH)}`,
  resolved: (isResolved) => (isResolved ? 'Settled' : 'Open'),
  search: (text) => `“${cutText(oneLine(text), SHOWN_SEARCH)}”`,
};
type Filters = { [Name in keyof Omit<ListQuery, 'before_id'>]-?: NonNullable<ListQuery[Name]> };

const CATEGORY_CHIPS = CATEGORIES.map((category) => chip('category', category));
const OTHER_CHIPS: readonly Chip[] = [
  ...SCORES.map((score) => chip('min_signal', score)),
  ...ALERT_TYPES.map((type) => chip('alert_type', type)),
  ...[true, false].map((isResolved) => chip('resolved', isResolved)),
];

export function listFilters(query: ListQuery): Html {
  return html`<nav class="filters" aria-label="Filters">
    ${chipList('Category', CATEGORY_CHIPS, query)} ${chipList('Score, kind and result', OTHER_CHIPS, query)}
    ${searchForm(query)}
  </nav>`;
}

export function pageFilterWords(query: ListQuery): string | null {
  const words = (Object.keys(WORDS) as (keyof Filters)[]).map((name) => wordsOf(name, query));
  return words.filter((text) => text !== '').join(', ') || null;
}

function chip<Name extends keyof Filters>(name: Name, value: Filters[Name]): Chip {
  return { label: WORDS[name](value), name, value };
}

function wordsOf<Name extends keyof Filters>(name: Name, query: ListQuery): string {
  const value = query[name];
  return value === undefined ? '' : WORDS[name](value as Filters[Name]);
}

function chipList(label: string, chips: readonly Chip[], query: ListQuery): Html {
  return html`<ul class="chips line" aria-label="${label}">
    ${chips.map((chip) => html`<li>${chipLink(chip, query)}</li>`)}
  </ul>`;
}

function chipLink({ label, name, value }: Chip, query: ListQuery): Html {
  const isOn = query[name] === value;
  const path = listPath({ ...query, [name]: isOn ? undefined : value, before_id: undefined });
  const current = attribute('aria-current', isOn ? 'true' : null);
  return html`<a href="${path}" rel="nofollow"${current}>${label}</a>`;
}

function searchForm({ search = '', before_id: _page, ...rest }: ListQuery): Html {
  const kept = Object.entries(rest).filter(([, value]) => value !== undefined);
  return html`<form class="search" action="/" method="get" role="search">
    ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}" />`)}
    <label class="hidden" for="search">Market or wallet</label>
    <input
      id="search"
      type="search"
      name="search"
      maxlength="200"
      placeholder="Market or wallet"
      value="${search}"
    />
    <button>Search</button>
  </form>`;
}
