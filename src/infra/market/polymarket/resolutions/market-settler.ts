import { LRUCache } from 'lru-cache';
import type { SettlementStore } from '../../../../core/alerts/settlement.ts';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { Notifier } from '../../../../core/base/async/notifier.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { conditionIdOf, isConditionId } from '../../tapes/text-fields.ts';
import type { FeedTools } from '../feed-tools.ts';
import { marketOf } from '../markets/market-line.ts';
import { ANSWER_BATCH, askResolutions, OPEN_STATES, type ResolutionAnswer } from './resolution-answers.ts';
import { SettledRows, type SettledRowsOptions } from './settled-rows.ts';

const REMEMBERED_MAX = 10_000;
/** An enqueued row is booked long before; then the store shows it. A row that was lost is enqueued again. */
const BOOKED_AFTER_MS = 10 * MINUTE_MS;

export interface SettlerOptions extends SettledRowsOptions, Pick<FeedTools, 'client'> {
  readonly resolutions: Pick<SettlementStore, 'get'>;
  /** Takes the rows of markets that are newly resolved, or otherwise than before. */
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
}

/**
 * Data API v2 is authoritative for payouts, Gamma for names. Where Gamma has no row, the market's alerts show which outcome
 * is which; names that they lack are added when a row comes. Where v2 fails or does not know a market, Gamma's own row counts
 * once it is settled by the rule of a tape; it corrects nothing that is booked.
 */
export class MarketSettler {
  readonly #options: SettlerOptions;
  readonly #rows: SettledRows;
  readonly #failures: FailureLog;
  /** Unknown states that were logged. */
  readonly #logged = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  readonly #enqueued = new LRUCache<string, { readonly payouts: string; readonly at: EpochMs }>({
    max: REMEMBERED_MAX,
  });

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#rows = new SettledRows(options);
    this.#failures = new FailureLog(options.logger, 'resolutions unavailable; using Gamma alone');
  }

  /** Enqueues those of at most 20 markets that are resolved and not booked so. Returns the ids that need no further look. */
  async settle(
    ids: readonly string[],
    isCorrection: boolean,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const answers = await this.#ask(ids, signal);
    const done = new Set<string>();
    const wanted: string[] = [];
    const unnamed = new Set<string>();
    for (const id of ids) {
      const state = await this.#stateOf(id, answers.get(id), isCorrection);
      if (state === 'booked') done.add(id);
      if (state === 'wanted' || state === 'unnamed') wanted.push(id);
      if (state === 'unnamed') unnamed.add(id);
    }
    const rows = wanted.length === 0 ? [] : await this.#rows.read(wanted, { answers, unnamed, signal });
    await this.#enqueue(rows);
    for (const row of rows) done.add(marketOf(row).id);
    return done;
  }

  /** Answers of v2; none while it fails. */
  async #ask(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ResolutionAnswer>> {
    try {
      const answers = await askResolutions(this.#options.client, ids, signal);
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
    this.#options.logger.warn({ status: status.slice(0, 100) }, 'resolution in an unknown state; waiting');
  }

  /** `unnamed`: booked without the names of all outcomes. Null: not resolved, or no source may state it. */
  async #stateOf(id: string, answer: ResolutionAnswer | undefined, isCorrection: boolean) {
    if (answer === undefined ? isCorrection : answer.status !== 'resolved') return null;
    const booked = await this.#options.resolutions.get(id);
    if (booked === null) return 'wanted';
    if (answer !== undefined && String(booked.payouts) !== String(answer.payouts)) return 'wanted';
    return answer !== undefined && booked.outcomes.includes('') ? 'unnamed' : 'booked';
  }

  /** A row is enqueued again only after it should have been booked, and is not. */
  async #enqueue(rows: readonly LiveRow[]): Promise<void> {
    const { clock, enqueue } = this.#options;
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

/** Pauses after each look that found no outcome. After the last one the market is left to the rounds. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
const MOST_HINTS = 1_000;

interface Hint {
  looks: number;
  dueAt: EpochMs;
}

/** Looks at markets that the stream reports as resolved until they are settled: the stream is early, but not authoritative. */
export class ResolutionHints {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #settler: MarketSettler;
  readonly #hints = new Map<string, Hint>();
  readonly #added = new Notifier();

  constructor(clock: Clock, logger: Logger, settler: MarketSettler) {
    this.#clock = clock;
    this.#logger = logger;
    this.#settler = settler;
  }

  add(marketId: string): void {
    const id = conditionIdOf(marketId);
    if (!isConditionId(id) || this.#hints.has(id) || this.#hints.size >= MOST_HINTS) return;
    this.#hints.set(id, { looks: 0, dueAt: this.#clock.now() });
    this.#added.notify();
  }

  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const clock = this.#clock;
    return repeat(() => this.#look(signal), {
      clock,
      signal,
      intervalMs: () => {
        const dues = [...this.#hints.values()].map(({ dueAt }) => dueAt);
        return Math.max(0, Math.min(HOUR_MS, ...dues.map((dueAt) => dueAt - clock.now())));
      },
      failures: new FailureLog(this.#logger, 'resolution hint not followed; retrying'),
      wake: () => this.#added.nextNotification(),
    });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const due = [...this.#hints].filter(([, { dueAt }]) => dueAt <= now).slice(0, ANSWER_BATCH);
    if (due.length === 0) return;
    for (const [id, hint] of due) {
      const pauseMs = PAUSES_MS[hint.looks];
      hint.looks += 1;
      if (pauseMs === undefined) this.#hints.delete(id);
      else hint.dueAt = now + pauseMs;
    }
    const ids = due.map(([id]) => id);
    for (const id of await this.#settler.settle(ids, false, signal)) this.#hints.delete(id);
  }
}
