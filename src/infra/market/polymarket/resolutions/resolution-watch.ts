import type { AlertStore, UnresolvedMarkets } from '../../../../core/alerts/alert-store.ts';
import type { SettlementStore } from '../../../../core/alerts/settlement.ts';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { isConditionId } from '../../tapes/text-fields.ts';
import { inBatches } from '../batches.ts';
import type { FeedTools } from '../feed-tools.ts';
import { marketOf } from '../markets/market-line.ts';
import { MarketSettler, ResolutionHints, type SettlerOptions } from './market-settler.ts';
import { ANSWER_BATCH } from './resolution-answers.ts';

const ROUND_MS = 5 * MINUTE_MS;
const RETRY_MS = 30 * SECOND_MS;
/** Alerts per read of the store. */
const PAGE = 1_000;
/** Outcomes that may be checked for corrections: the last ones, about those of some weeks. */
const CORRECTABLE = 1_000;
/** When an outcome is checked, counted from its booking. */
const CHECKED_AFTER_MS = [HOUR_MS, 6 * HOUR_MS, ...[1, 2, 3, 4, 5, 6, 7].map((days) => days * DAY_MS)];
/** Assets of one connection of the order book stream. */
const MOST_ASSETS = 500;
/** Markets considered: those of the oldest alerts. */
const MOST_MARKETS = 2_000;
/** Markets described in one round; the next round describes others. */
const MOST_ASKED = 250;

/** Constructor options of `ResolutionWatch`. */
interface WatchOptions extends SettlerOptions, Pick<FeedTools, 'random'> {
  readonly alerts: Pick<AlertStore, 'unresolvedMarkets' | 'ofMarket'>;
  readonly resolutions: Pick<SettlementStore, 'get' | 'after' | 'lastSeq'>;
}

/** Finds out what the markets of unresolved alerts paid, and for a week whether an outcome was corrected. */
export class ResolutionWatch {
  readonly #options: WatchOptions;
  readonly #settler: MarketSettler;
  readonly #hints: ResolutionHints;
  #assets: readonly string[] = [];
  /** The last check for corrections; null before the first, which checks what a former process may have missed. */
  #checkedAt: EpochMs | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#settler = new MarketSettler(options);
    this.#hints = new ResolutionHints(options.clock, options.logger, this.#settler);
  }

  /** Token ids of markets without an outcome, those that end first; at most 500. */
  get assets(): readonly string[] {
    return this.#assets;
  }

  /** The stream reports a market as resolved: it is looked at immediately, and some times more. */
  resolved(marketId: string): void {
    this.#hints.add(marketId);
  }

  /** Looks for outcomes until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#runRounds(signal), this.#hints.run(signal)]);
  }

  #runRounds(signal: AbortSignal): Promise<void> {
    const { clock, logger, random } = this.#options;
    const round = async () => {
      await this.#round(signal);
      await this.#correct(signal);
    };
    return repeat(round, {
      clock,
      signal,
      intervalMs: () => ROUND_MS * (0.9 + 0.2 * random()),
      retryMs: RETRY_MS,
      failures: new FailureLog(logger, 'resolution round failed; retrying'),
    });
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { alerts } = this.#options;
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
    const { resolutions, clock } = this.#options;
    const [since, now] = [this.#checkedAt, clock.now()];
    const isDue = (at: EpochMs) =>
      CHECKED_AFTER_MS.some((afterMs) => at + afterMs <= now && (since === null || at + afterMs > since));
    const lastSeq = await resolutions.lastSeq();
    const booked = await resolutions.after(Math.max(0, lastSeq - CORRECTABLE), CORRECTABLE);
    const due = booked.filter(({ resolved, log }) => resolved > 0 && log !== undefined && isDue(log.at));
    await this.#settleAll(
      due.map(({ marketId }) => marketId),
      true,
      signal,
    );
    this.#checkedAt = now;
  }

  async #settleAll(ids: readonly string[], isCorrection: boolean, signal: AbortSignal): Promise<void> {
    for (const batch of inBatches(ids.filter(isConditionId), ANSWER_BATCH)) {
      if (signal.aborted) return;
      await this.#settler.settle(batch, isCorrection, signal);
    }
  }

  /** The token ids of these markets, those that end first: they are resolved next. */
  async #watchedAssets(marketIds: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const { catalogue, random } = this.#options;
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
