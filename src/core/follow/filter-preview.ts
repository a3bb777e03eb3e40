import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { Figures, WindowPreview } from '../alerts/figures/figures.ts';
import type { LastingFilter } from '../alerts/passes-filter.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import { DAILY_LIMITS } from './day-of-person.ts';

/** Lowest scores that are offered instead of a filter that matches more. */
const HIGHER_SCORES = [60, 70, 80, 90];

/** The bets that a filter would have matched in the last 30 days, among alerts of today's rules only. */
export interface FilterPreview {
  readonly total: number;
  /** A day; a window that is shorter than a day counts as one. */
  readonly perDay: number;
  /** Whole days of the window, at least 1; 0 while there are no alerts at all. */
  readonly days: number;
  /** The end of the window. */
  readonly until: EpochMs;
  /** At most three, newest first. */
  readonly newest: readonly Alert[];
  readonly settled: Pick<WindowPreview, 'resolved' | 'won' | 'entrySum' | 'markets'>;
}

interface Options {
  readonly alerts: Pick<AlertStore, 'latest' | 'byId'>;
  readonly figures: Pick<Figures, 'preview'>;
}

/** Who asks: how old an alert must be before they see it, in milliseconds. */
export interface Asker {
  readonly delayMs: number;
}

/** Previews of filters. Today's rules are those of the newest alert. */
export class FilterPreviews {
  readonly #options: Options;
  #rules: { readonly version: string; readonly since: EpochMs } | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  async of(filter: LastingFilter, asker: Asker): Promise<FilterPreview> {
    const since = await this.#rulesSince();
    const preview = await this.#options.figures.preview(
      { ...filter, since: since ?? 0, isPerBet: true },
      asker,
    );
    const days = Math.max(1, (preview.until - preview.since) / DAY_MS);
    const { total, newest, until } = preview;
    const wholeDays = since === null ? 0 : Math.round(days);
    return { total, perDay: total / days, days: wholeDays, until, newest, settled: preview };
  }

  /** The filter with the lowest score that keeps it to `DAILY_LIMITS.filters` a day; null if none of the offered scores does. */
  async narrower(filter: LastingFilter, asker: Asker): Promise<LastingFilter | null> {
    for (const minScore of HIGHER_SCORES.filter((score) => score > (filter.minScore ?? 0))) {
      const { perDay } = await this.of({ ...filter, minScore }, asker);
      if (perDay <= DAILY_LIMITS.filters) return { ...filter, minScore };
    }
    return null;
  }

  /** When the first alert of today's rules was created. Rules change a few times a year, and no older ones come back. */
  async #rulesSince(): Promise<EpochMs | null> {
    const { alerts } = this.#options;
    const [newest] = await alerts.latest({ limit: 1 });
    if (newest === undefined) return null;
    const version = newest.details.ruleVersion;
    if (this.#rules?.version === version) return this.#rules.since;
    let [older, first] = [0, newest];
    while (first.id - older > 1) {
      const middle = Math.floor((older + first.id) / 2);
      const alert = await alerts.byId(middle);
      if (alert?.details.ruleVersion === version) first = alert;
      else older = middle;
    }
    this.#rules = { version, since: first.createdAt };
    return first.createdAt;
  }
}
