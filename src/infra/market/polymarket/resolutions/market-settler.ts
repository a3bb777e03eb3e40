import { LRUCache } from 'lru-cache';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { type EpochMs, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { marketOf } from '../markets/market-line.ts';
import { askResolutions, type ResolutionAnswer } from './resolution-answers.ts';
import { type ResolutionTools, SettledRows } from './settled-rows.ts';

/** States of markets that are not resolved. An unknown state is not a resolution either. */
const OPEN_STATES: ReadonlySet<string> = new Set([
  'initialized',
  'posed',
  'proposed',
  'challenged',
  'reproposed',
  'disputed',
  'active',
  'arbitration',
]);
const REMEMBERED_MAX = 10_000;
/** An enqueued row is booked long before; then the store shows it. A row that was lost is enqueued again. */
const BOOKED_AFTER_MS = 10 * MINUTE_MS;

/**
 * Data API v2 is authoritative for payouts, Gamma for names. Where Gamma has no row, the market's alerts show which outcome
 * is which; names that they lack are added when a row comes. Where v2 fails, does not know a market or states no payouts, its
 * price and Gamma's own row count, which must be settled by the rule of a tape; they correct nothing that is booked.
 */
export class MarketSettler {
  readonly #tools: ResolutionTools;
  readonly #rows: SettledRows;
  readonly #failures: FailureLog;
  readonly #logged = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  readonly #enqueued = new LRUCache<string, { readonly payouts: string; readonly at: EpochMs }>({
    max: REMEMBERED_MAX,
  });

  constructor(tools: ResolutionTools) {
    this.#tools = tools;
    this.#rows = new SettledRows(tools);
    this.#failures = new FailureLog(tools.logger, 'resolutions unavailable; using Gamma alone');
  }

  /** Enqueues those of at most 20 markets that are resolved and not booked so. Returns the ids that need no further look. */
  async settle(
    ids: readonly string[],
    isCorrection: boolean,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const answers = await this.#ask(ids, signal);
    const byState = new Map<string | null, string[]>();
    for (const id of ids) {
      const state = await this.#stateOf(id, answers.get(id), isCorrection);
      byState.set(state, [...(byState.get(state) ?? []), id]);
    }
    const unnamed = new Set(byState.get('unnamed'));
    const wanted = [...(byState.get('wanted') ?? []), ...unnamed];
    const rows = wanted.length === 0 ? [] : await this.#rows.read(wanted, answers, { unnamed, signal });
    await this.#enqueue(rows);
    return new Set([...(byState.get('booked') ?? []), ...rows.map((row) => marketOf(row).id)]);
  }

  async #ask(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ResolutionAnswer>> {
    try {
      const answers = await askResolutions(this.#tools.client, ids, signal);
      this.#failures.succeeded();
      for (const { status } of answers.values()) this.#logUnknownState(status);
      return answers;
    } catch (error) {
      if (signal.aborted) throw error;
      this.#failures.failed(error);
      return new Map();
    }
  }

  #logUnknownState(status: string): void {
    if (status === 'resolved' || OPEN_STATES.has(status) || this.#logged.has(status)) return;
    this.#logged.set(status, true);
    this.#tools.logger.warn({ status: status.slice(0, 100) }, 'resolution in an unknown state; waiting');
  }

  /** `unnamed`: booked without the names of all outcomes. Null: not resolved, or no source may state it. */
  async #stateOf(id: string, answer: ResolutionAnswer | undefined, isCorrection: boolean) {
    if (answer === undefined ? isCorrection : answer.status !== 'resolved') return null;
    const booked = await this.#tools.settlements.ofMarket(id);
    if (booked === null) return 'wanted';
    const stated = answer?.payouts ?? null;
    if (stated !== null && String(booked.payouts) !== String(stated)) return 'wanted';
    return answer !== undefined && booked.outcomes.includes('') ? 'unnamed' : 'booked';
  }

  async #enqueue(rows: readonly LiveRow[]): Promise<void> {
    const { clock, enqueue } = this.#tools;
    const fresh = rows.filter((live) => {
      const { id, payouts } = marketOf(live);
      const last = this.#enqueued.get(id);
      if (last?.payouts === String(payouts) && clock.now() - last.at < BOOKED_AFTER_MS) return false;
      this.#enqueued.set(id, { payouts: String(payouts), at: clock.now() });
      return true;
    });
    if (fresh.length > 0) await enqueue(fresh);
  }
}
