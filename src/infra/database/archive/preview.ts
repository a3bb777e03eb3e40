import type { Alert } from '../../../core/alerts/alert.ts';
import type { AlertPreview } from '../../../core/alerts/alert-store.ts';
import { rounded } from '../../../core/base/rounded.ts';
import { DAY_MS, type EpochMs } from '../../../core/base/time/duration.ts';
import type { OutcomeSums, PreviewSums } from './archive-sums.ts';

/** A preview from the sums of its window. `newest`: its newest alerts, newest first. */
export function previewOf(
  { daily, byMarket }: PreviewSums,
  days: readonly EpochMs[],
  newest: readonly Alert[],
): AlertPreview {
  const outcomes = [...byMarket.values()];
  const sums = sumOf(outcomes);
  return {
    total: daily.reduce((sum, count) => sum + count, 0),
    daily: days.map((dayStart, index) => ({ dayStart, alerts: daily[index] ?? 0 })),
    ...sums,
    entrySum: rounded(sums.entrySum, 6),
    markets: { ...sumOf(outcomes.map(meansOf)), resolved: outcomes.length },
    newest,
  };
}

/** The beginnings of the UTC days that the window touches. */
export function daysOf({ since, until }: { readonly since: EpochMs; readonly until: EpochMs }): EpochMs[] {
  const first = since - modulo(since, DAY_MS);
  const count = since > until ? 0 : Math.floor((until - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => first + index * DAY_MS);
}

/** Each market counts once, by the mean of its alerts. */
function meansOf({ resolved, won, entrySum }: OutcomeSums): OutcomeSums {
  return { resolved: 1, won: won / resolved, entrySum: entrySum / resolved };
}

function sumOf(outcomes: readonly OutcomeSums[]): OutcomeSums {
  const sum = (field: keyof OutcomeSums) => outcomes.reduce((total, outcome) => total + outcome[field], 0);
  return { resolved: sum('resolved'), won: sum('won'), entrySum: sum('entrySum') };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
