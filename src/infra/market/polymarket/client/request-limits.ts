import type { UpstreamApi } from '../../../../core/metrics.ts';
import type { RequestPurpose } from './market-client.ts';

/** The market counts requests of an address over a sliding window of so many milliseconds. */
export const WINDOW_MS = 10_000;
/** How much of what the market allows is used. Below a half: what is sent over two windows may arrive in one. */
const USED = 0.45;

/** How many requests may be sent in any window. */
export interface RequestLimit {
  readonly name: string;
  readonly most: number;
  /** How many of them may be for this purpose. What is not named here may use all: shares leave polling its own. */
  readonly shares: Readonly<Partial<Record<RequestPurpose, number>>>;
}

interface Rule {
  /** What the market publishes. */
  readonly published: number;
  readonly api: UpstreamApi | null;
  /** Null: all paths. */
  readonly paths: RegExp | null;
  readonly shares?: RequestLimit['shares'];
}

/**
 * Limits of Data API v2 as documented in October 2026. Polling asks for 10 to 30 pages in 10 s; facts of 5,000 new wallets
 * an hour are 14 wallets in 10 s, of three to ten requests each. The doctor has 2 %.
 */
const RULES: readonly Rule[] = [
  { published: 15_000, api: null, paths: null },
  {
    published: 800,
    api: 'data',
    paths: null,
    shares: { facts: 220, resolutions: 40, markets: 20, doctor: 16 },
  },
  { published: 300, api: 'data', paths: /^\/v2\/trades$/, shares: { facts: 60, sweep: 20, doctor: 6 } },
  { published: 200, api: 'data', paths: /^\/v2\/(positions|activity)$/, shares: { facts: 80, doctor: 4 } },
  { published: 100, api: 'data', paths: /^\/v2\/status$/, shares: { doctor: 2 } },
  { published: 4_000, api: 'gamma', paths: null, shares: { doctor: 80 } },
  {
    published: 300,
    api: 'gamma',
    paths: /^\/markets(\/|$)/,
    shares: { resolutions: 60, doctor: 6 },
  },
  { published: 500, api: 'gamma', paths: /^\/events(\/|$)/ },
  { published: 900, api: 'gamma', paths: /^\/(markets|events)(\/|$)/ },
  { published: 200, api: 'gamma', paths: /^\/tags(\/|$)/ },
  { published: 350, api: 'gamma', paths: /^\/public-search$/ },
];

/** Those that a request counts under. */
export function limitsOf(api: UpstreamApi, path: string): readonly RequestLimit[] {
  return RULES.filter((rule) => (rule.api ?? api) === api && (rule.paths?.test(path) ?? true)).map(
    ({ published, api: of, paths, shares = {} }) => ({
      name: `${of ?? 'all'} ${paths?.source ?? ''}`,
      most: Math.floor(published * USED),
      shares,
    }),
  );
}
