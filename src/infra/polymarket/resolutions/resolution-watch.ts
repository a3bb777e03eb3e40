import type { AlertStore } from '../../../core/alerts/alert-store.ts';
import type { ResolutionStore } from '../../../core/alerts/resolution-store.ts';
import type { Clock } from '../../../core/clock.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import { isConditionId } from '../../sources/condition-id.ts';
import { inBatches } from '../in-batches.ts';
import { ANSWER_BATCH } from './resolution-answers.ts';
import { createResolutionHints } from './resolution-hints.ts';
import { createSettle, type SettleDeps } from './settle.ts';
import { watchedAssets } from './watched-assets.ts';

const ROUND_MS = 5 * MINUTE_MS;
const FAULT_PAUSE_MS = 30 * SECOND_MS;
/** Alerts read at once. */
const PAGE = 1_000;
/** Outcomes that are looked at again once a day: those booked last, which are weeks of them. */
const CORRECTABLE = 1_000;

export interface ResolutionWatch {
  /** The stream names a market that is said to be resolved: it is looked at at once, and some times more. */
  resolved(marketId: string): void;
  /** Token ids of markets that await their outcome, those that end first; at most 500. */
  assets(): readonly string[];
  /** Looks for outcomes until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

interface WatchDeps extends SettleDeps {
  readonly alerts: Pick<AlertStore, 'unresolvedMarkets' | 'ofMarket'>;
  readonly resolutions: Pick<ResolutionStore, 'get' | 'after' | 'lastSeq'>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Finds out what the markets of unresolved alerts paid, and daily whether the outcomes booked last were corrected. */
export function createResolutionWatch(deps: WatchDeps): ResolutionWatch {
  const { alerts, resolutions, clock, logger, random } = deps;
  const settle = createSettle(deps);
  const hints = createResolutionHints({ clock, logger, settle });
  let assets: readonly string[] = [];
  let correctedAt: number | null = null;

  async function settleAll(
    ids: readonly string[],
    isCorrection: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    for (const batch of inBatches(ids.filter(isConditionId), ANSWER_BATCH)) {
      if (signal.aborted) return;
      await settle(batch, { signal, isCorrection });
    }
  }

  async function round(signal: AbortSignal): Promise<void> {
    const asked = new Set<string>();
    for (let afterId: number | null = 0; afterId !== null && !signal.aborted; ) {
      const page: Awaited<ReturnType<AlertStore['unresolvedMarkets']>> = await alerts.unresolvedMarkets({
        afterId,
        limit: PAGE,
      });
      const fresh = page.marketIds.filter((id) => !asked.has(id));
      for (const id of fresh) asked.add(id);
      await settleAll(fresh, false, signal);
      afterId = page.lastId;
    }
    assets = await watchedAssets(deps.catalogue, { marketIds: [...asked], random, signal });
  }

  async function correct(signal: AbortSignal): Promise<void> {
    if (correctedAt !== null && clock.now() - correctedAt < DAY_MS) return;
    const lastSeq = await resolutions.lastSeq();
    const booked = await resolutions.after(Math.max(0, lastSeq - CORRECTABLE), CORRECTABLE);
    const withAlerts = booked.filter(({ resolved }) => resolved > 0).map(({ marketId }) => marketId);
    await settleAll(withAlerts, true, signal);
    correctedAt = clock.now();
  }

  async function rounds(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = ROUND_MS * (0.9 + 0.2 * random());
      try {
        await round(signal);
        await correct(signal);
      } catch (error) {
        pauseMs = FAULT_PAUSE_MS;
        if (!signal.aborted) logger.warn({ err: error }, 'resolutions cannot be looked for; trying again');
      }
      await clock.sleep(pauseMs, signal);
    }
  }

  return {
    resolved: hints.add,
    assets: () => assets,
    async run(signal) {
      await Promise.all([rounds(signal), hints.run(signal)]);
    },
  };
}
