import type { LastingFilter } from '../alerts/passes-filter.ts';
import { cutText, dollars, oneLine, shortWallet } from '../base/text/formats.ts';
import type { AlertType } from '../detection/candidate.ts';
import { categoriesOf } from './filter-text.ts';
import type { Follow, FollowSubject } from './follower.ts';

/** Characters of a market's name in a filter. */
const MARKET_LENGTH = 60;

const TYPE_WORDS: Readonly<Record<AlertType, string>> = {
  fresh: 'new wallets',
  fresh_accumulator: 'new wallets that keep buying',
  cluster: 'clusters',
};

/** A filter in words, without a capital: `politics, score 60 or more, $5,000 or more, clusters, buys, “fed rate”`; `all alerts`. */
export function filterWords(filter: LastingFilter): string {
  const { minScore, minUsdc, type, side, wallet, market, search } = filter;
  const parts = [
    categoriesOf(filter)
      .map((name) => name.replaceAll('_', ' '))
      .join(' or '),
    minScore === undefined ? '' : `score ${minScore} or more`,
    minUsdc === undefined ? '' : `${dollars(minUsdc)} or more`,
    type === undefined ? '' : TYPE_WORDS[type],
    side === undefined ? '' : side === 'BUY' ? 'buys' : 'sales',
    wallet === undefined ? '' : `wallet ${shortWallet(wallet)}`,
    market === undefined ? '' : `market ${cutText(oneLine(market), MARKET_LENGTH)}`,
    search === undefined ? '' : `“${search}”`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'all alerts' : parts.join(', ');
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
