import { walletOf } from './sample-alerts.ts';

export interface Search {
  readonly name: string;
  readonly query: string;
}

const search = (name: string, query: Readonly<Record<string, string>>): Search => ({
  name,
  query: String(new URLSearchParams(query)),
});

/** Each search is sent equally often, so that the 99th percentile is of the slowest. Pages have 20 alerts. */
export const SEARCHES: readonly Search[] = [
  search('no filter', {}),
  search('no filter, page 200', { page: '200' }),
  search('category', { category: 'politics' }),
  search('category and side', { category: 'crypto', side: 'SELL' }),
  search('side', { side: 'BUY' }),
  search('side, page 200', { side: 'BUY', page: '200' }),
  search('signal', { min_signal: '95' }),
  search('USDC', { min_usdc: '20000' }),
  search('category, signal and USDC', { category: 'politics', min_signal: '80', min_usdc: '5000' }),
  search('text of a tenth of the markets', { search: 'election' }),
  search('text of few markets', { search: 'warnock' }),
  search('text of no market', { search: 'zeppelin' }),
  search('text and category', { search: 'bitcoin', category: 'crypto', min_signal: '70' }),
  search('exact wallet', { search: walletOf(3) }),
];

/** Searches of which none is in the mix: they compile the code, and leave the first count of each search of the mix to be measured. */
export const OTHER_SEARCHES: readonly Search[] = Array.from({ length: 20 }, (_, index) => [
  search('another signal', { min_signal: String(60 + index) }),
  search('another category and USDC', { category: 'finance', min_usdc: String(3_000 + index) }),
  search('another text', { search: `senate ${index}`, side: 'BUY' }),
]).flat();
