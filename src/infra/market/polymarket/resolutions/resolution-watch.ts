import type { UnresolvedMarkets } from '../../../../core/alerts/alert-store.ts';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { Notifier, repeat } from '../../../../core/base/async/repeat.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { conditionIdOf, isConditionId } from '../../tapes/text-fields.ts';
import { inBatches } from '../client/market-client.ts';
import { marketOf } from '../markets/market-line.ts';
import { MarketSettler } from './market-settler.ts';
import { ANSWER_BATCH } from './resolution-answers.ts';
import type { ResolutionTools } from './settled-rows.ts';

const ROUND_MS = 5 * MINUTE_MS;
const RETRY_MS = 30 * SECOND_MS;
const PAGE = 1_000;
/** Outcomes that may be checked for corrections: the last ones, about those of some weeks. */
const CORRECTABLE = 1_000;
const CHECKED_AFTER_MS = [1, 6, 24, 48, 72, 96, 120, 144, 168].map((hours) => hours * HOUR_MS);
/** Pauses after each look at a hint that found no outcome. After the last one the market is left to the rounds. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
const MOST_HINTS = 1_000;
/** Assets of one connection of the order book stream. */
const MOST_ASSETS = 500;
/** Markets considered: those of the oldest alerts. */
const MOST_MARKETS = 2_000;
/** Markets described in one round; the next round describes others. */
const MOST_ASKED = 250;

/** Finds out what the markets of unresolved alerts paid, and for a week whether an outcome was corrected. */
export class ResolutionWatch {
  readonly #tools: ResolutionTools;
  readonly #settler: MarketSettler;
  /** Markets that the stream reports as resolved, until they are settled: it is early, but not authoritative. */
  readonly #hints = new Map<string, { looks: number; dueAt: EpochMs }>();
  readonly #hinted = new Notifier();
  #assets: readonly string[] = [];
  /** The last check for corrections; null before the first, which checks what a former process may have missed. */
  #checkedAt: EpochMs | null = null;

  constructor(tools: ResolutionTools) {
    this.#tools = tools;
    this.#settler = new MarketSettler(tools);
  }

  get assets(): readonly string[] {
    return this.#assets;
  }

  /** The stream reports a market as resolved: it is looked at immediately, and some times more. */
  resolved(marketId: string): void {
    const id = conditionIdOf(marketId);
    if (!isConditionId(id) || this.#hints.has(id) || this.#hints.size >= MOST_HINTS) return;
    this.#hints.set(id, { looks: 0, dueAt: this.#tools.clock.now() });
    this.#hinted.notify();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger, random } = this.#tools;
    const round = async () => {
      await this.#round(signal);
      await this.#correct(signal);
    };
    const untilHint = () => {
      const dues = [...this.#hints.values()].map(({ dueAt }) => dueAt - clock.now());
      return Math.max(0, Math.min(HOUR_MS, ...dues));
    };
    await Promise.all([
      repeat(round, {
        clock,
        signal,
        intervalMs: () => ROUND_MS * (0.9 + 0.2 * random()),
        retryMs: RETRY_MS,
        failures: new FailureLog(logger, 'resolution round failed; retrying'),
      }),
      repeat(() => this.#followHints(signal), {
        clock,
        signal,
        intervalMs: untilHint,
        failures: new FailureLog(logger, 'resolution hint not followed; retrying'),
        wake: this.#hinted.nextNotification,
      }),
    ]);
  }

  async #followHints(signal: AbortSignal): Promise<void> {
    const now = this.#tools.clock.now();
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

  async #round(signal: AbortSignal): Promise<void> {
    const { alerts } = this.#tools;
    const asked = new Set<string>();
    for (let afterId: number | null = 0; afterId !== null && !signal.aborted; ) {
      const page: UnresolvedMarkets = await alerts.unresolvedMarkets({ afterId, limit: PAGE });
      const fresh = page.marketIds.filter((id) => !asked.has(id));
      for (const id of fresh) asked.add(id);
      await this.#settleAll(fresh, false, signal);
      afterId = page.lastId;
    }
    this.#assets = await this.#watchedAssets([...asked], signal);
  }

  async #correct(signal: AbortSignal): Promise<void> {
    const { alerts, clock } = this.#tools;
    const [since, now] = [this.#checkedAt, clock.now()];
    const isDue = (at: EpochMs) =>
      CHECKED_AFTER_MS.some((afterMs) => at + afterMs <= now && (since === null || at + afterMs > since));
    const booked = await alerts.settledMarkets(Number.POSITIVE_INFINITY, CORRECTABLE);
    const due = booked.filter(({ at }) => isDue(at));
    const ids = due.map(({ marketId }) => marketId);
    await this.#settleAll(ids, true, signal);
    this.#checkedAt = now;
  }

  async #settleAll(ids: readonly string[], isCorrection: boolean, signal: AbortSignal): Promise<void> {
    for (const batch of inBatches(ids.filter(isConditionId), ANSWER_BATCH)) {
      if (signal.aborted) return;
      await this.#settler.settle(batch, isCorrection, signal);
    }
  }

  async #watchedAssets(marketIds: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const { catalogue, random } = this.#tools;
    const looked = marketIds.slice(0, MOST_MARKETS);
    const unknown = looked.filter((id) => catalogue.cached(id) === null);
    // At random, so that markets that Gamma never knows block no others.
    const from = unknown.length <= MOST_ASKED ? 0 : Math.floor(random() * unknown.length);
    const asked = [...unknown.slice(from), ...unknown.slice(0, from)].slice(0, MOST_ASKED);
    if (asked.length > 0) await catalogue.describe(asked, signal);
    return looked
      .flatMap((id) => openMarket(catalogue.cached(id)))
      .sort((a, b) => (a.endsAt ?? Number.MAX_SAFE_INTEGER) - (b.endsAt ?? Number.MAX_SAFE_INTEGER))
      .flatMap(({ tokenIds }) => tokenIds)
      .slice(0, MOST_ASSETS);
  }
}

function openMarket(live: LiveRow | null) {
  return live === null || marketOf(live).payouts !== null ? [] : [marketOf(live)];
}
