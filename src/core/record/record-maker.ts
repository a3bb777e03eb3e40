import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { SettlementStore } from '../alerts/settlement.ts';
import { allPages, paged } from '../base/async/paged.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { RecordPlan } from '../detection/record-plan.ts';
import type { TimeMapping } from '../trades/source/source.ts';
import { compileRecord } from './compile-record.ts';
import { measureMarket } from './measure-market.ts';
import type { MeasuredMarket, RecordMarket } from './measured-market.ts';
import {
  hoursOf,
  type ObservationStore,
  type ObservedHour,
  type ObservedMarket,
} from './observations/observation-store.ts';
import type { RecordReport } from './record-report.ts';

const CHANGES = 200;

/** What a record is made from, with the changes of outcomes. */
export interface RecordSources extends RecordStores {
  readonly settlements: Pick<SettlementStore, 'get' | 'after' | 'lastSeq'>;
}

/** Which record is wanted. Plain data, so that another thread can make it. */
export interface RecordRequest {
  /** On the clock of the source; what came later is not used. */
  readonly asOf: EpochMs;
  /** From the clock of the source to that of the service. */
  readonly mapping: TimeMapping | null;
  /** On the clock of the service: alerts that were published later are left out. */
  readonly publishedUntil: EpochMs;
  readonly rules: { readonly version: string; readonly sha256: string };
  readonly plan: RecordPlan;
  /** What was published before; null for the first record. */
  readonly previous: RecordReport | null;
}

/** A record and the work it took. */
export interface MadeRecord {
  /** JSON of the `RecordReport`. */
  readonly text: string;
  readonly alerts: number;
  readonly events: number;
  /** Markets that were measured now; the results of the others were final before. */
  readonly measured: number;
}

/**
 * Makes the record of all observed markets. What is final is remembered: a market that is closed is measured again only when
 * its outcome is corrected or it has a new alert. Requests must have the same rules.
 */
export class RecordMaker {
  /** Final results of markets, and the number of their alerts then. */
  readonly #final = new Map<string, { readonly alerts: number; readonly result: MeasuredMarket }>();
  /** Changes of outcomes up to this one are known. */
  #seq: number | null = null;

  /** Must not be called again before it ends. */
  async make(sources: RecordSources, request: RecordRequest): Promise<MadeRecord> {
    await this.#forgetCorrected(sources.settlements);
    const markets: MeasuredMarket[] = [];
    let measured = 0;
    for await (const market of observedMarkets(sources.observations)) {
      const known = this.#final.get(market.marketId);
      const isKnown = known?.alerts === market.alerts.length;
      if (!isKnown) measured += 1;
      markets.push(isKnown ? known.result : await this.#measure(sources, market, request));
    }
    const { asOf, mapping, rules, plan, previous } = request;
    return {
      text: JSON.stringify(compileRecord(markets, { plan, rules, asOf, mapping, previous })),
      alerts: markets.reduce((sum, { alerts }) => sum + alerts.length, 0),
      events: new Set(markets.map(({ event }) => event)).size,
      measured,
    };
  }

  async #measure(
    sources: RecordSources,
    observed: ObservedMarket,
    { asOf, publishedUntil }: RecordRequest,
  ): Promise<MeasuredMarket> {
    const { alerts, ...market } = await readRecordMarket(sources, observed);
    const shown = alerts.filter(({ createdAt }) => createdAt <= publishedUntil);
    const result = measureMarket({ ...market, alerts: shown }, asOf);
    // A day after the settlement and the last span, no figure depends on the moment any longer.
    const isFinal = !observed.isOpen && market.settlement !== null && shown.length === alerts.length;
    if (isFinal) this.#final.set(observed.marketId, { alerts: observed.alerts.length, result });
    return result;
  }

  async #forgetCorrected(settlements: RecordSources['settlements']): Promise<void> {
    this.#seq ??= await settlements.lastSeq();
    for (;;) {
      const changes = await settlements.after(this.#seq, CHANGES);
      for (const { marketId } of changes) this.#final.delete(marketId);
      this.#seq = changes.at(-1)?.seq ?? this.#seq;
      if (changes.length < CHANGES) return;
    }
  }
}

/** Rows of one read. */
const MARKETS = 100;
const ALERTS = 200;

/** What a record is read from. */
export interface RecordStores {
  readonly observations: Pick<ObservationStore, 'markets' | 'hours'>;
  readonly alerts: Pick<AlertStore, 'ofMarket'>;
  readonly settlements: Pick<SettlementStore, 'get'>;
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
  { observations, alerts, settlements }: RecordStores,
  market: ObservedMarket,
): Promise<RecordMarket> {
  const { marketId, spans } = market;
  const settlement = await settlements.get(marketId);
  const hours: ObservedHour[] = [];
  for (const [index, span] of spans.entries()) {
    for await (const hour of hoursOf(observations, marketId, span)) hours.push(hour);
    // A price that is later than its time is the first one after it.
    const until = spans[index + 1]?.from ?? Number.MAX_SAFE_INTEGER;
    hours.push(...(await observations.hours(marketId, { from: span.until, until, limit: 1 })));
  }
  const after = (last?: Alert) => alerts.ofMarket(marketId, ALERTS, last?.id);
  const published = await allPages(after, ALERTS);
  return {
    market,
    hours,
    alerts: published,
    settlement: settlement === null ? null : { outcomes: settlement.outcomes, payouts: settlement.payouts },
  };
}
