import type { AlertStore } from './alert-store.ts';
import type { PastedMarket } from './pasted.ts';

/** The markets with alerts that a link, a slug or an id names, those with the newest alerts first. */
export interface MeantMarkets {
  readonly ids: readonly string[];
  /** The link names another market of their event, which has no alert. */
  readonly isOther: boolean;
}

interface Bound {
  readonly until?: number;
  readonly limit: number;
}

/** Several for an event; none for one without alerts. */
export async function meantMarkets(
  { market, event }: PastedMarket,
  alerts: Pick<AlertStore, 'marketOfSlug' | 'marketsOfEvent'>,
  { limit, ...bound }: Bound,
): Promise<MeantMarkets> {
  const own = market === null ? null : await alerts.marketOfSlug(market, bound);
  if (own !== null) return { ids: [own], isOther: false };
  const ids = event === null ? [] : await alerts.marketsOfEvent(event, { ...bound, limit });
  if (ids.length > 0 || market !== null || event === null)
    return { ids, isOther: market !== null && market !== event };
  const ofSlug = await alerts.marketOfSlug(event, bound);
  return { ids: ofSlug === null ? [] : [ofSlug], isOther: false };
}
