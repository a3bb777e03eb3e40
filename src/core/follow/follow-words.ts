import { typeInSentence } from '../alerts/alert-names.ts';
import type { LastingFilter } from '../alerts/passes-filter.ts';
import { cutLine, dollars, oneLine, shortWallet } from '../base/text/formats.ts';
import { categoriesOf } from './filter-text.ts';
import type { Follow, FollowSubject } from './follower.ts';

/** Characters of a market's name in a filter. */
const MARKET_LENGTH = 60;

type Conditions = Required<Omit<LastingFilter, 'category' | 'categories'>>;

/** Each condition but the categories in words, in this order: a new one does not compile without them. */
const WORDS: { readonly [Name in keyof Conditions]: (value: Conditions[Name]) => string } = {
  minScore: (score) => `score ${score} or more`,
  minPosition: (usdc) => `${dollars(usdc)} or more`,
  minUsdc: (usdc) => `orders over ${dollars(usdc)}`,
  type: typeInSentence,
  side: (side) => (side === 'BUY' ? 'buys' : 'sales'),
  wallet: (address) => `wallet ${shortWallet(address)}`,
  market: (name) => `market ${cutLine(name, MARKET_LENGTH)}`,
  search: (text) => `“${text}”`,
};
const NAMES = Object.keys(WORDS) as (keyof Conditions)[];

/** A filter in words, without a capital: `politics, score 60 or more, $5,000 or more, clusters, buys, “fed rate”`; `all alerts`. */
export function filterWords(filter: LastingFilter): string {
  const categories = categoriesOf(filter).map((name) => name.replaceAll('_', ' '));
  const parts = [categories.join(' or '), ...NAMES.map((name) => conditionWords(name, filter))];
  return parts.filter((part) => part !== '').join(', ') || 'all alerts';
}

function conditionWords<Name extends keyof Conditions>(name: Name, filter: Partial<Conditions>): string {
  const value = filter[name];
  return value === undefined ? '' : WORDS[name](value);
}

/** A subject in words: `wallet 0x1234…abcd`, the market's question on one line, or the filter. */
export function subjectWords(subject: FollowSubject): string {
  if (subject.kind === 'wallet') return `wallet ${shortWallet(subject.wallet)}`;
  return subject.kind === 'market' ? oneLine(subject.title) : filterWords(subject.filter);
}

/** The nickname of a follow, or its subject in words. */
export function followName({ nickname, subject }: Pick<Follow, 'nickname' | 'subject'>): string {
  return nickname ?? subjectWords(subject);
}
