import type { LiveRow } from '../../../core/source/source.ts';
import type { MarketCatalogue } from '../markets/market-catalogue.ts';
import { marketOf } from '../markets/market-line.ts';

/** What one connection of the order book stream is asked for. */
const MOST_ASSETS = 500;
/** Markets looked at: those of the oldest alerts. */
const MOST_MARKETS = 2_000;
/** Markets described for this at once; the next round describes others. */
const MOST_ASKED = 250;

interface WatchedOptions {
  readonly marketIds: readonly string[];
  /** From 0 to below 1: which of the unknown are asked for, so that those Gamma never knows block no others. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** The token ids of these markets, those that end first: they are resolved next. */
export async function watchedAssets(
  { describe, cached: kept }: Pick<MarketCatalogue, 'describe' | 'cached'>,
  { marketIds, random, signal }: WatchedOptions,
): Promise<readonly string[]> {
  const looked = marketIds.slice(0, MOST_MARKETS);
  const unknown = looked.filter((id) => kept(id) === null);
  const from = unknown.length <= MOST_ASKED ? 0 : Math.floor(random() * unknown.length);
  const asked = [...unknown.slice(from), ...unknown.slice(0, from)].slice(0, MOST_ASKED);
  if (asked.length > 0) await describe(asked, signal);
  return looked
    .flatMap((id) => openMarket(kept(id)))
    .sort((a, b) => (a.endsAt ?? Number.MAX_SAFE_INTEGER) - (b.endsAt ?? Number.MAX_SAFE_INTEGER))
    .flatMap(({ tokenIds }) => tokenIds)
    .slice(0, MOST_ASSETS);
}

function openMarket(live: LiveRow | null) {
  return live === null || marketOf(live).payouts !== null ? [] : [marketOf(live)];
}
