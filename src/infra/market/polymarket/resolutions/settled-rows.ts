import { LRUCache } from 'lru-cache';
import type { Alert } from '../../../../core/alerts/alert.ts';
import type { AlertStore } from '../../../../core/alerts/alert-store.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { FeedTools } from '../feed-tools.ts';
import type { MarketCatalogue } from '../markets/market-catalogue.ts';
import { marketLine, marketOf, withFields } from '../markets/market-line.ts';
import type { ResolutionAnswer } from './resolution-answers.ts';

const REMEMBERED_MAX = 10_000;
/** Alerts of a market that are read for its outcomes: the oldest. */
const MOST_ALERTS = 1_000;

export interface SettledRowsOptions extends Pick<FeedTools, 'clock' | 'logger'> {
  readonly catalogue: Pick<MarketCatalogue, 'describe' | 'cached'>;
  readonly alerts: Pick<AlertStore, 'ofMarket'>;
  readonly metrics: Pick<Metrics, 'marketsUnsettled'>;
}

interface Given {
  readonly answers: ReadonlyMap<string, ResolutionAnswer>;
  /** Booked markets, for whose names only Gamma is asked. */
  readonly unnamed: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Makes the rows of settled markets. */
export class SettledRows {
  readonly #options: SettledRowsOptions;
  /** Unclear payouts that were logged. */
  readonly #unclear = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  /** Resolved markets of which it is unknown which outcome was paid. */
  readonly #unsettled = new LRUCache<string, true>({ max: REMEMBERED_MAX });

  constructor(options: SettledRowsOptions) {
    this.#options = options;
  }

  /** The rows of those of the markets that are settled. */
  async read(ids: readonly string[], { answers, unnamed, signal }: Given): Promise<readonly LiveRow[]> {
    const described = await this.#describe(ids, signal);
    const rows = await Promise.all(
      ids.map((id) => {
        const answer = answers.get(id);
        const live = described.get(id);
        if (answer === undefined) return live !== undefined && marketOf(live).payouts !== null ? [live] : [];
        const known = live ?? this.#options.catalogue.cached(id);
        return known === null && unnamed.has(id) ? [] : this.#settled(id, known, answer);
      }),
    );
    return rows.flat();
  }

  async #describe(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveRow>> {
    const { catalogue, logger } = this.#options;
    try {
      const rows = await catalogue.describe(ids, signal);
      return new Map(rows.map((row) => [marketOf(row).id, row]));
    } catch (error) {
      if (signal.aborted) throw error;
      logger.warn({ err: error }, 'descriptions of resolved markets unavailable; retrying');
      return new Map();
    }
  }

  async #settled(id: string, known: LiveRow | null, answer: ResolutionAnswer): Promise<readonly LiveRow[]> {
    const live = known ?? (await this.#rowOfAlerts(id, answer));
    this.#setUnsettled(id, live === null);
    return live === null ? [] : this.#paid(live, answer);
  }

  /** The row with the payouts of v2. */
  #paid(live: LiveRow, { payouts }: ResolutionAnswer): readonly LiveRow[] {
    const { id } = marketOf(live);
    if (payouts === null) return this.#logUnclear(id, payouts);
    const paid = { outcomePrices: payouts.map(String), resolvedPayouts: payouts };
    const fields = { ...paid, closed: true, umaResolutionStatus: 'resolved', resolutionStatus: null };
    const row = withFields(live, fields, this.#options.clock.now());
    return 'line' in row && marketOf(row).payouts !== null ? [row] : this.#logUnclear(id, payouts);
  }

  #logUnclear(marketId: string, payouts: readonly number[] | null): readonly [] {
    const key = `${marketId} ${payouts}`;
    if (!this.#unclear.has(key))
      this.#options.logger.warn({ marketId, payouts }, 'payouts of a resolved market unclear');
    this.#unclear.set(key, true);
    return [];
  }

  /** The row of a market that Gamma does not describe; null when its alerts do not show which outcome is which. */
  async #rowOfAlerts(id: string, { payouts }: ResolutionAnswer): Promise<LiveRow | null> {
    const { alerts, clock } = this.#options;
    if (payouts === null) return null;
    const found = await alerts.ofMarket(id, MOST_ALERTS);
    const outcomes = outcomesOfAlerts(found, payouts.length);
    const [first] = found;
    if (first === undefined || outcomes === null) return null;
    const fields = { conditionId: id, question: first.eventTitle, slug: first.eventSlug, outcomes };
    const row = marketLine(fields, clock.now());
    return 'line' in row ? row : null;
  }

  #setUnsettled(marketId: string, isUnsettled: boolean): void {
    const { logger, metrics } = this.#options;
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

type NamedOutcome = Pick<Alert, 'outcome' | 'outcomeIndex'>;

/** A name that alerts use when the market has none. */
const BY_IDS = /^(outcome|token) \d+…?$/;

/**
 * The outcomes of a market in the order of its payouts, as its alerts name and number them, with an empty text for outcomes
 * that they do not name. If only one outcome has no name and one name has no index, they are matched. Null when no alert has
 * an index, or two contradict each other.
 */
export function outcomesOfAlerts(alerts: readonly NamedOutcome[], count: number): readonly string[] | null {
  const names = new Array<string>(count).fill('');
  const isPlaced = (alert: NamedOutcome) => alert.outcomeIndex < count;
  if (!alerts.some(isPlaced)) return null;
  const named = alerts.filter(({ outcome }) => outcome !== '' && !BY_IDS.test(outcome));
  for (const { outcome, outcomeIndex } of named.filter(isPlaced)) {
    const known = names[outcomeIndex];
    if (known !== '' && known !== outcome) return null;
    names[outcomeIndex] = outcome;
  }
  const isTwice = names.some((name, index) => name !== '' && names.indexOf(name) !== index);
  if (isTwice) return null;
  const left = new Set(named.map(({ outcome }) => outcome).filter((outcome) => !names.includes(outcome)));
  const [name] = left;
  if (left.size === 1 && name !== undefined && names.filter((each) => each === '').length === 1)
    names[names.indexOf('')] = name;
  return names;
}
