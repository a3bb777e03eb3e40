import type { Alert } from '../../../src/core/alerts/alert.ts';
import { describeResult, paidWords } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { SettledAlerts } from '../../../src/core/alerts/settlements/settlement-reader.ts';
import { cutLine } from '../../../src/core/base/text/formats.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import { lookButton, marketSpan, OUTCOME_LENGTH, strengthLine } from './personal-alert.ts';

/** As many as fit into a Discord message at their longest. */
const ALERTS_SHOWN = 10;

/** How the market of an alert ended, and how its bets did, strongest first. `exitOf`: the last exit of each, by its alert. */
export function outcomePost(
  alert: Alert,
  { settlement, alerts, hasMore }: SettledAlerts,
  { exitOf, siteUrl }: { exitOf: ReadonlyMap<number, Exit>; siteUrl: string | null },
): Screen {
  const best = alerts.toSorted((a, b) => b.score - a.score).slice(0, ALERTS_SHOWN);
  const shown = best.map((each) => {
    const result = describeResult(each, exitOf.get(each.id) ?? null);
    return result === null ? strengthLine(each) : `${result} · ${strengthLine(each)}`;
  });
  const rest = alerts.length - shown.length;
  const more = rest === 0 ? [] : [`… and ${hasMore ? 'more than ' : ''}${rest} more`];
  const end = settlement.kind === 'correction' ? 'Corrected' : 'Settled';
  const paid = paidWords(settlement, (name) => cutLine(name, OUTCOME_LENGTH));
  const body: Paragraph[] = [
    [{ bold: `${end}: ${paid}` }, '\n', marketSpan(alert)],
    [[...shown, ...more].join('\n')],
  ];
  return { ...plainScreen('outcome', body, [[lookButton(alert, siteUrl)]]), isSilent: true };
}
