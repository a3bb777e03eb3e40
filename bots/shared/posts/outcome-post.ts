import { describeResult } from '../../../src/core/alerts/describe-alert.ts';
import type {
  LoggedSettlement,
  SettledAlerts,
} from '../../../src/core/alerts/settlements/settlement-reader.ts';
import { cents, oneLine } from '../../../src/core/base/text/formats.ts';
import { type Paragraph, plainScreen, type Screen, shortened } from '../screen.ts';
import { lookButton, marketSpan, OUTCOME_LENGTH, strengthLine } from './personal-alert.ts';

/** A message of Discord has room for this many at their longest. */
const ALERTS_SHOWN = 10;

/** How a market ended and what its alerts came to if held to the end, the strongest first; null when it has none. */
export function outcomePost(
  { settlement, alerts, hasMore }: SettledAlerts,
  siteUrl: string | null,
): Screen | null {
  const [first] = alerts;
  if (first === undefined) return null;
  const best = alerts.toSorted((a, b) => b.score - a.score).slice(0, ALERTS_SHOWN);
  const shown = best.map((alert) => {
    const result = describeResult(alert);
    return `${result === null ? '' : `${result} · `}${strengthLine(alert)}`;
  });
  const rest = alerts.length - shown.length;
  const more = rest === 0 ? [] : [`… and ${hasMore ? 'more than ' : ''}${rest} more`];
  const body: Paragraph[] = [
    [{ bold: endWords(settlement) }, '\n', marketSpan(first)],
    [[...shown, ...more].join('\n')],
  ];
  return { ...plainScreen('outcome', body, [[lookButton(first, siteUrl)]]), isSilent: true };
}

/** `Settled: Yes`, `Settled: Yes 50¢, No 50¢`, or the same with `Corrected`. */
function endWords({ kind, outcomes, payouts }: LoggedSettlement): string {
  const isSplit = payouts.some((payout) => payout > 0 && payout < 1);
  const paid = outcomes.flatMap((name, index) => {
    const payout = payouts[index] ?? 0;
    const words = shortened(oneLine(name), OUTCOME_LENGTH);
    return payout === 0 ? [] : [isSplit ? `${words} ${cents(payout)}` : words];
  });
  return [kind === 'correction' ? 'Corrected' : 'Settled', paid.join(', ')].filter(Boolean).join(': ');
}
