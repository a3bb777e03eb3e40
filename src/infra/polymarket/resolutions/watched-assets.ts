import type { LiveRow } from '../../../core/source/source.ts';
import type { MarketCatalogue } from '../markets/market-catalogue.ts';
import { marketOf } from '../markets/market-line.ts';

/** Assets of one connection of the order book stream. */
const MOST_ASSETS = 500;
/** Markets considered: those of the oldest alerts. */
const MOST_MARKETS = 2_000;
/** Markets described in one round; the next round describes others. */
const MOST_ASKED = 250;

interface WatchedOptions {
  readonly marketIds: readonly string[];
  /** From 0 to below 1: chooses which unknown markets are asked for, so that those Gamma never knows block no others. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** The token ids of these markets, those that end first: they are resolved next. */
export async function watchedAssets(
  catalogue: Pick<MarketCatalogue, 'describe' | 'cached'>,
  { marketIds, random, signal }: WatchedOptions,
): Promise<readonly string[]> {
  const looked = marketIds.slice(0, MOST_MARKETS);
  const unknown = looked.filter((id) => catalogue.cached(id) === null);
  const from = unknown.length <= MOST_ASKED ? 0 : Math.floor(random() * unknown.length);
  const asked = [...unknown.slice(from), ...unknown.slice(0, from)].slice(0, MOST_ASKED);
  if (asked.length > 0) await catalogue.describe(asked, signal);
  return looked
    .flatMap((id) => openMarket(catalogue.cached(id)))
    .sort((a, b) => (a.endsAt ?? Number.MAX_SAFE_INTEGER) - (b.endsAt ?? Number.MAX_SAFE_INTEGER))
    .flatMap(({ tokenIds }) => tokenIds)
    .slice(0, MOST_ASSETS);
}

function openMarket(live: LiveRow | null) {
  return live === null || marketOf(live).payouts !== null ? [] : [marketOf(live)];
}
