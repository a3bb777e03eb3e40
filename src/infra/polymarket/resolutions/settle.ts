import { LRUCache } from 'lru-cache';
import type { AlertStore } from '../../../core/alerts/alert-store.ts';
import type { ResolutionStore } from '../../../core/alerts/resolution-store.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { Categorise } from '../../sources/market-row.ts';
import type { MarketClient } from '../client/market-client.ts';
import type { MarketCatalogue } from '../markets/market-catalogue.ts';
import { marketLine, marketOf, withFields } from '../markets/market-line.ts';
import { outcomesOfAlerts } from './outcomes-of-alerts.ts';
import { askResolutions, OPEN_STATES, type ResolutionAnswer } from './resolution-answers.ts';
import { enqueueOnce } from './settled-rows.ts';

const LOGGED_MARKETS_MAX = 10_000;
/** Alerts of a market that are asked for its outcomes: the oldest. */
const MOST_ALERTS = 1_000;

export interface SettleDeps {
  readonly client: Pick<MarketClient, 'get'>;
  readonly catalogue: Pick<MarketCatalogue, 'describe' | 'cached'>;
  readonly categorise: Categorise;
  readonly alerts: Pick<AlertStore, 'ofMarket'>;
  readonly resolutions: Pick<ResolutionStore, 'get'>;
  readonly metrics: Pick<Metrics, 'marketsUnsettled'>;
  /** Takes the rows of markets that are resolved, or otherwise than before. */
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** Of at most 20 markets, offers those that are resolved and not booked so; gives the ids that need no further look. */
export type Settle = (
  marketIds: readonly string[],
  options: { signal: AbortSignal; isCorrection: boolean },
) => Promise<ReadonlySet<string>>;

type Answers = ReadonlyMap<string, ResolutionAnswer>;

/**
 * Data API v2 has the word on payouts, Gamma on names. Where Gamma has no row, the alerts of the market tell which outcome is
 * which; names that they do not tell are added when a row comes. Where v2 fails or does not know a market, Gamma's own row counts,
 * once it is settled by the rule of a tape; it corrects nothing that is booked.
 */
export function createSettle(deps: SettleDeps): Settle {
  const ask = answersOf(deps);
  const read = rowReader(deps);
  const enqueue = enqueueOnce(deps);

  /** Null: not resolved, or nobody may say so. */
  async function state(id: string, answer: ResolutionAnswer | undefined, isCorrection: boolean) {
    if (answer === undefined ? isCorrection : answer.status !== 'resolved') return null;
    const booked = await deps.resolutions.get(id);
    if (booked === null) return 'wanted';
    if (answer !== undefined && String(booked.payouts) !== String(answer.payouts)) return 'wanted';
    return answer !== undefined && booked.outcomes.includes('') ? 'unnamed' : 'booked';
  }

  return async (marketIds, { signal, isCorrection }) => {
    const answers = await ask(marketIds, signal);
    const done = new Set<string>();
    const wanted: string[] = [];
    const unnamed = new Set<string>();
    for (const id of marketIds) {
      const found = await state(id, answers.get(id), isCorrection);
      if (found === 'booked') done.add(id);
      if (found === 'wanted' || found === 'unnamed') wanted.push(id);
      if (found === 'unnamed') unnamed.add(id);
    }
    const rows = wanted.length === 0 ? [] : await read(wanted, answers, unnamed, signal);
    await enqueue(rows);
    for (const row of rows) done.add(marketOf(row).id);
    return done;
  };
}

/** What v2 says; nothing when it fails, which is told when it begins. */
function answersOf({ client, logger }: SettleDeps) {
  const logged = new LRUCache<string, true>({ max: LOGGED_MARKETS_MAX });
  let isFailing = false;

  function logUnsettled(status: string): void {
    if (status === 'resolved' || OPEN_STATES.has(status) || logged.has(status)) return;
    logged.set(status, true);
    logger.warn(
      { status: status.slice(0, 100) },
      'a resolution is in a state that is not known here, and waits',
    );
  }

  return async (ids: readonly string[], signal: AbortSignal): Promise<Answers> => {
    try {
      const answers = await askResolutions(client, ids, signal);
      isFailing = false;
      for (const { status } of answers.values()) logUnsettled(status);
      return answers;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isFailing) logger.warn({ err: error }, 'resolutions cannot be read for now; Gamma is asked alone');
      isFailing = true;
      return new Map();
    }
  };
}

/** The rows of those that are settled. `unnamed`: those that are booked, for whose names only Gamma is asked. */
function rowReader(deps: SettleDeps) {
  const { catalogue, categorise, clock, logger } = deps;
  const logged = new LRUCache<string, true>({ max: LOGGED_MARKETS_MAX });
  const unsettled = unsettledMarkets(deps);

  async function describe(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, LiveRow>> {
    try {
      const rows = await catalogue.describe(ids, signal);
      return new Map(rows.map((row) => [marketOf(row).id, row]));
    } catch (error) {
      if (signal.aborted) throw error;
      logger.warn({ err: error }, 'resolved markets cannot be described for now');
      return new Map();
    }
  }

  /** The row with what v2 says it pays. */
  function paid(live: LiveRow, { payouts }: ResolutionAnswer): readonly LiveRow[] {
    const { id } = marketOf(live);
    const outcomePrices = payouts?.map(String);
    const fields = { closed: true, outcomePrices, umaResolutionStatus: 'resolved', resolutionStatus: null };
    const row = withFields(live, fields, { now: clock.now(), categorise });
    if ('line' in row && marketOf(row).payouts !== null) return [row];
    const what = `${id} ${payouts}`;
    if (!logged.has(what))
      logger.warn({ marketId: id, payouts }, 'a resolved market does not say clearly what it pays');
    logged.set(what, true);
    return [];
  }

  async function settled(id: string, known: LiveRow | null, answer: ResolutionAnswer) {
    const live = known ?? (await rowOfAlerts(id, answer, deps));
    if (live === null) unsettled.add(id);
    else unsettled.remove(id);
    return live === null ? [] : paid(live, answer);
  }

  return async (
    ids: readonly string[],
    answers: Answers,
    unnamed: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<readonly LiveRow[]> => {
    const described = await describe(ids, signal);
    const rows = await Promise.all(
      ids.map((id) => {
        const answer = answers.get(id);
        const live = described.get(id);
        if (answer === undefined) return live !== undefined && marketOf(live).payouts !== null ? [live] : [];
        const known = live ?? catalogue.cached(id);
        return known === null && unnamed.has(id) ? [] : settled(id, known, answer);
      }),
    );
    return rows.flat();
  };
}

/** A row for a market that Gamma does not describe; null where its alerts do not tell which outcome is which. */
async function rowOfAlerts(
  id: string,
  { payouts }: ResolutionAnswer,
  { alerts, categorise, clock }: SettleDeps,
): Promise<LiveRow | null> {
  if (payouts === null) return null;
  const found = await alerts.ofMarket(id, MOST_ALERTS);
  const outcomes = outcomesOfAlerts(found, payouts.length);
  const [first] = found;
  if (first === undefined || outcomes === null) return null;
  const fields = { conditionId: id, question: first.eventTitle, slug: first.eventSlug, outcomes };
  const row = marketLine(fields, { now: clock.now(), categorise });
  return 'line' in row ? row : null;
}

/** Markets that are resolved, and of which it is not known which outcome was paid. */
function unsettledMarkets({ metrics, logger }: SettleDeps) {
  const ids = new LRUCache<string, true>({ max: LOGGED_MARKETS_MAX });
  return {
    add(marketId: string): void {
      if (!ids.has(marketId))
        logger.warn(
          { marketId },
          'a resolved market is not described, and its alerts do not say which outcome is which; they stay unresolved',
        );
      ids.set(marketId, true);
      metrics.marketsUnsettled(ids.size);
    },
    remove(marketId: string): void {
      if (ids.delete(marketId)) metrics.marketsUnsettled(ids.size);
    },
  };
}
