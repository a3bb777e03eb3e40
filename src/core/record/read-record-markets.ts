import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { ResolutionStore } from '../alerts/resolution-store.ts';
import { HOUR_MS } from '../duration.ts';
import type { ObservationStore, ObservedHour, ObservedMarket } from '../observations/observation-store.ts';
import type { RecordMarket } from './record-market.ts';

/** Rows of one read. */
const MARKETS = 100;
const HOURS = 500;
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
  for (const { from, until } of spans) {
    const after = (last?: ObservedHour) =>
      observations.hours(marketId, {
        from: last === undefined ? from : last.hour + HOUR_MS,
        until,
        limit: HOURS,
      });
    for await (const hour of paged(after, HOURS)) hours.push(hour);
  }
  const published: Alert[] = [];
  const after = (last?: Alert) => alerts.ofMarket(marketId, ALERTS, last?.id);
  for await (const alert of paged(after, ALERTS)) published.push(alert);
  return {
    market,
    hours,
    alerts: published,
    settlement: settlement === null ? null : { outcomes: settlement.outcomes, payouts: settlement.payouts },
  };
}

/** The rows of all pages. `read`: at most `limit` rows after the last one of the page before. */
async function* paged<Row>(
  read: (last?: Row) => Promise<readonly Row[]>,
  limit: number,
): AsyncGenerator<Row, void> {
  let last: Row | undefined;
  for (;;) {
    const rows = await read(last);
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
  }
}
