import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { ResolutionStore } from '../alerts/resolution-store.ts';
import { allPages, paged } from '../base/async/paged.ts';
import type { ObservationStore, ObservedHour, ObservedMarket } from './observations/observation-store.ts';
import { readHours } from './observations/read-hours.ts';
import type { RecordMarket } from './record-market.ts';

/** Rows of one read. */
const MARKETS = 100;
const ALERTS = 200;

/** What a record is read from. */
export interface RecordStores {
  readonly observations: Pick<ObservationStore, 'markets' | 'hours'>;
  readonly alerts: Pick<AlertStore, 'ofMarket'>;
  readonly resolutions: Pick<ResolutionStore, 'get'>;
}

/** All observed markets, ascending by id, a page at a time. */
export function observedMarkets(
  observations: RecordStores['observations'],
): AsyncGenerator<ObservedMarket, void> {
  return paged(
    (last?: ObservedMarket) => observations.markets({ after: last?.marketId ?? '', limit: MARKETS }),
    MARKETS,
  );
}

/** One market with its hours by the minute, its alerts and its settlement. What is written meanwhile may be included in part. */
export async function readRecordMarket(
  { observations, alerts, resolutions }: RecordStores,
  market: ObservedMarket,
): Promise<RecordMarket> {
  const { marketId, spans } = market;
  const settlement = await resolutions.get(marketId);
  const hours: ObservedHour[] = [];
  for (const span of spans) hours.push(...(await readHours(observations, marketId, span)));
  const after = (last?: Alert) => alerts.ofMarket(marketId, ALERTS, last?.id);
  const published = await allPages(after, ALERTS);
  return {
    market,
    hours,
    alerts: published,
    settlement: settlement === null ? null : { outcomes: settlement.outcomes, payouts: settlement.payouts },
  };
}
