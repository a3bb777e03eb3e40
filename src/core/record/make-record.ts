import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { paged } from '../base/async/paged.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { type CompileOptions, type CountedAlert, compileRecord, isBefore } from './compile-record.ts';
import { followerPricesOf } from './follower-prices.ts';
import type { Prices } from './prices/prices.ts';
import type { RecordReport } from './record-report.ts';

/** What a record is made from. */
export interface RecordSources {
  readonly alerts: Pick<AlertStore, 'after'>;
  readonly prices: Pick<Prices, 'markets'>;
}

/** Which record is wanted. */
export interface RecordRequest extends CompileOptions {
  /** On the clock of the service: alerts that were published later are left out. */
  readonly publishedUntil: EpochMs;
}

const PAGE = 200;

/** Makes the record of all alerts that count. Throws the signal's reason when it aborts. */
export async function makeRecord(
  { alerts, prices }: RecordSources,
  request: RecordRequest,
  signal?: AbortSignal,
): Promise<RecordReport> {
  const { asOf, plan, publishedUntil } = request;
  const isRehearsal = isBefore(asOf, plan.startsAt);
  const known = new Set<string>();
  const counted: CountedAlert[] = [];
  let published = 0;
  for await (const { alert, market } of withMarkets({ alerts, prices })) {
    signal?.throwIfAborted();
    if (alert.createdAt > publishedUntil) break;
    const found = followerPricesOf(alert, market, asOf);
    const bet = [alert.wallet, alert.marketId, alert.outcome].join();
    const isFirst = !known.has(bet);
    known.add(bet);
    if (found.publishedAt > asOf || (!isRehearsal && isBefore(found.publishedAt, plan.startsAt))) continue;
    published += 1;
    const { id, entryPrice, marketEvent, eventSlug, resolution } = alert;
    const payout = found.settledAt === null ? null : (resolution?.payout ?? null);
    if (isFirst) counted.push({ ...found, id, entryPrice, event: marketEvent ?? eventSlug, payout });
  }
  return compileRecord({ alerts: published, counted }, request);
}

/** All alerts in their order, each with its market; null where that is not watched. */
function withMarkets({ alerts, prices }: RecordSources) {
  const readPage = async (last?: { readonly alert: Alert }) => {
    const page = await alerts.after(last?.alert.id ?? 0, PAGE);
    const markets = await prices.markets(page.map(({ marketId }) => marketId));
    const byId = new Map(markets.map((market) => [market.marketId, market]));
    return page.map((alert) => ({ alert, market: byId.get(alert.marketId) ?? null }));
  };
  return paged(readPage, PAGE);
}
