import type { LogContents, SettlementEntry } from '../../core/alerts/verification/log-contents.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { ComparedAlert } from './compare-alert.ts';
import type { ComparisonResult } from './compare-alerts.ts';
import type { OpenMarket } from './verify-state.ts';

/**
 * Markets of the log with alerts and without a compared outcome. Stored between runs: an outcome comes days after its alerts,
 * whose entries a later run does not read again.
 */
export class OpenMarkets {
  readonly #saved: ReadonlyMap<string, OpenMarket>;
  readonly #contents: LogContents;
  readonly #isWhole: boolean;

  /** `isWhole`: the log was read from its start, so that what was not read does not exist. */
  constructor(saved: Readonly<Record<string, OpenMarket>>, contents: LogContents, isWhole: boolean) {
    this.#saved = new Map(Object.entries(saved));
    this.#contents = contents;
    this.#isWhole = isWhole;
  }

  /** The alerts that were read, and earlier ones whose outcome can be compared now. */
  toCompare(): readonly ComparedAlert[] {
    const { alerts, outcomes } = this.#contents;
    const read = [...alerts.values()].map((entry) => ({ id: entry.id, marketId: entry.marketId, entry }));
    const due = [...this.#saved].filter(
      ([marketId, { differs_since }]) => outcomes.has(marketId) || differs_since !== undefined,
    );
    const earlier = due.flatMap(([marketId, market]) =>
      market.alerts.filter((id) => !alerts.has(id)).map((id) => ({ id, marketId, entry: null })),
    );
    return [...earlier, ...read];
  }

  /** The last outcome of a market; null: the log has none; undefined: entries that were not read may have one. */
  outcomeOf(marketId: string): SettlementEntry | null | undefined {
    const saved = this.#saved.get(marketId);
    const known = this.#contents.outcomes.get(marketId) ?? saved?.outcome;
    return known ?? (this.#isWhole || saved !== undefined ? null : undefined);
  }

  /** Since when the market's outcome differs. */
  differsSince(marketId: string): EpochMs | null {
    const since = this.#saved.get(marketId)?.differs_since;
    return since === undefined ? null : Date.parse(since);
  }

  /** What a later run must compare. */
  left(result: Pick<ComparisonResult, 'ids' | 'open' | 'notYet'>, now: EpochMs): Record<string, OpenMarket> {
    const open = new Map<string, { alerts: Set<number> } & Omit<OpenMarket, 'alerts'>>();
    const add = (marketId: string, ids: Iterable<number>, rest: Omit<OpenMarket, 'alerts'> = {}) => {
      const { alerts = [], ...known } = open.get(marketId) ?? {};
      open.set(marketId, { ...known, ...rest, alerts: new Set([...alerts, ...ids]) });
    };
    const isSettled = (marketId: string) => (this.outcomeOf(marketId) ?? null) !== null;
    for (const [marketId, { alerts }] of this.#saved) if (!isSettled(marketId)) add(marketId, alerts);
    for (const { id, marketId } of this.#contents.alerts.values())
      if (this.outcomeOf(marketId) === null) add(marketId, [id]);
    // Differences that were not compared this time, as without a key or in a sample, stay due.
    for (const [marketId, { alerts, ...rest }] of this.#saved) {
      const uncompared = alerts.filter((id) => !result.ids.has(id));
      const outcome = this.outcomeOf(marketId);
      if (rest.differs_since !== undefined && uncompared.length > 0)
        add(marketId, uncompared, { ...rest, ...(outcome ? { outcome: kept(outcome) } : {}) });
    }
    for (const { id, marketId } of result.open) add(marketId, [id]);
    for (const { id, marketId } of result.notYet) {
      const outcome = this.outcomeOf(marketId);
      const differs_since = new Date(this.differsSince(marketId) ?? now).toISOString();
      add(marketId, [id], { differs_since, ...(outcome ? { outcome: kept(outcome) } : {}) });
    }
    return Object.fromEntries(
      [...open].map(([id, market]) => [id, { ...market, alerts: [...market.alerts] }]),
    );
  }
}

function kept({ sequence, outcomes, payouts }: SettlementEntry): NonNullable<OpenMarket['outcome']> {
  return { sequence, outcomes: [...outcomes], payouts: [...payouts] };
}
