import { LRUCache } from 'lru-cache';
import type { Alert } from '../../../../core/alerts/alert.ts';
import type { AlertStore } from '../../../../core/alerts/alert-store.ts';
import type { Settlements } from '../../../../core/alerts/settlements/settlements.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { FeedTools } from '../client/market-client.ts';
import type { MarketCatalogue } from '../markets/market-catalogue.ts';
import { marketLine, marketOf, withFields } from '../markets/market-line.ts';
import type { ResolutionAnswer } from './resolution-answers.ts';

const REMEMBERED_MAX = 10_000;
/** Alerts of a market that are read for its outcomes: the oldest. */
const MOST_ALERTS = 1_000;

export interface ResolutionTools extends Omit<FeedTools, 'onDrop'> {
  readonly alerts: Pick<AlertStore, 'unresolvedMarkets' | 'ofMarket' | 'settledMarkets'>;
  readonly settlements: Pick<Settlements, 'ofMarket'>;
  readonly catalogue: Pick<MarketCatalogue, 'describe' | 'cached'>;
  readonly metrics: Pick<Metrics, 'marketsUnsettled'>;
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
}

export class SettledRows {
  readonly #tools: ResolutionTools;
  readonly #unclear = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  /** Resolved markets of which it is unknown which outcome was paid. */
  readonly #unsettled = new LRUCache<string, true>({ max: REMEMBERED_MAX });

  constructor(tools: ResolutionTools) {
    this.#tools = tools;
  }

  /** The rows of those of the markets that are settled. `unnamed`: booked markets, for whose names only Gamma is asked. */
  async read(
    ids: readonly string[],
    answers: ReadonlyMap<string, ResolutionAnswer>,
    { unnamed, signal }: { readonly unnamed: ReadonlySet<string>; readonly signal: AbortSignal },
  ): Promise<readonly LiveRow[]> {
    const described = await this.#describe(ids, signal);
    const rows = await Promise.all(
      ids.map(async (id) => {
        const answer = answers.get(id);
        const live = described.get(id);
        if (answer === undefined) return live !== undefined && marketOf(live).payouts !== null ? live : null;
        const known = live ?? this.#tools.catalogue.cached(id);
        return known === null && unnamed.has(id) ? null : this.#settled(id, known, answer);
      }),
    );
    return rows.filter((row) => row !== null);
  }

  async #describe(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveRow>> {
    const { catalogue, logger } = this.#tools;
    try {
      const rows = await catalogue.describe(ids, signal);
      return new Map(rows.map((row) => [marketOf(row).id, row]));
    } catch (error) {
      if (signal.aborted) throw error;
      logger.warn({ err: error }, 'descriptions of resolved markets unavailable; retrying');
      return new Map();
    }
  }

  async #settled(id: string, known: LiveRow | null, answer: ResolutionAnswer): Promise<LiveRow | null> {
    const { logger } = this.#tools;
    const payouts = statedPayouts(answer, known);
    const live = known ?? (await this.#rowOfAlerts(id, payouts));
    this.#setUnsettled(id, live === null);
    if (live === null) return null;
    const paid = { outcomePrices: payouts?.map(String), resolvedPayouts: payouts };
    const fields = { ...paid, closed: true, umaResolutionStatus: 'resolved', resolutionStatus: null };
    const row = payouts === null ? null : withFields(live, fields);
    if (row !== null && 'line' in row && marketOf(row).payouts !== null) return row;
    const key = `${id} ${payouts}`;
    if (!this.#unclear.has(key))
      logger.warn({ marketId: id, payouts }, 'payouts of a resolved market unclear');
    this.#unclear.set(key, true);
    return null;
  }

  /** The row of a market that Gamma does not describe; null when its alerts do not show which outcome is which. */
  async #rowOfAlerts(id: string, payouts: ResolutionAnswer['payouts']): Promise<LiveRow | null> {
    if (payouts === null) return null;
    const found = await this.#tools.alerts.ofMarket(id, MOST_ALERTS);
    const outcomes = outcomesOfAlerts(found, payouts.length);
    const [first] = found;
    if (first === undefined || outcomes === null) return null;
    const fields = { conditionId: id, question: first.eventTitle, slug: first.eventSlug, outcomes };
    const row = marketLine(fields);
    return 'line' in row ? row : null;
  }

  #setUnsettled(marketId: string, isUnsettled: boolean): void {
    const { logger, metrics } = this.#tools;
    if (isUnsettled && !this.#unsettled.has(marketId))
      logger.warn(
        { marketId },
        'resolved market not described, and its alerts do not show which outcome is which; they stay unresolved',
      );
    if (isUnsettled) this.#unsettled.set(marketId, true);
    else if (!this.#unsettled.delete(marketId)) return;
    metrics.marketsUnsettled(this.#unsettled.size);
  }
}

/** By the first source that states them. Without v2's own, its price and Gamma's row must not contradict each other. */
function statedPayouts(
  { payouts, pricePayouts }: ResolutionAnswer,
  known: LiveRow | null,
): readonly number[] | null {
  if (payouts !== null) return payouts;
  const gammas = known === null ? null : marketOf(known).payouts;
  const isContradicted = gammas !== null && pricePayouts !== null && String(gammas) !== String(pricePayouts);
  return isContradicted ? null : (gammas ?? pricePayouts);
}

/** A name that alerts use when the market has none. */
const BY_IDS = /^(outcome|token) \d+…?$/;

/**
 * The outcomes of a market in the order of its payouts, as its alerts name and number them, with an empty text for outcomes
 * that they do not name. If only one outcome has no name and one name has no index, they are matched. Null when no alert has
 * an index, or two contradict each other.
 */
export function outcomesOfAlerts(
  alerts: readonly Pick<Alert, 'outcome' | 'outcomeIndex'>[],
  count: number,
): readonly string[] | null {
  const names = new Array<string>(count).fill('');
  const named = alerts.filter(({ outcome }) => outcome !== '' && !BY_IDS.test(outcome));
  if (!alerts.some(({ outcomeIndex }) => outcomeIndex < count)) return null;
  for (const { outcome, outcomeIndex } of named.filter((alert) => alert.outcomeIndex < count)) {
    const known = names[outcomeIndex];
    if (known !== '' && known !== outcome) return null;
    names[outcomeIndex] = outcome;
  }
  if (names.some((name, index) => name !== '' && names.indexOf(name) !== index)) return null;
  const left = new Set(named.map(({ outcome }) => outcome).filter((outcome) => !names.includes(outcome)));
  const [name] = left;
  if (left.size === 1 && name !== undefined && names.filter((each) => each === '').length === 1)
    names[names.indexOf('')] = name;
  return names;
}
