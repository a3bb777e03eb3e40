import type { Alert } from '../../../src/core/alerts/alert.ts';
import { capitalised, counted, marketAddress, utcMinute } from '../../../src/core/alerts/alert-words.ts';
import { type DescribedAlert, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import { newestOfThreads } from '../../../src/core/alerts/newest-of-threads.ts';
import { HOUR_MS } from '../../../src/core/duration.ts';
import type { LogHead } from '../../../src/core/log/log-entry.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { logLine } from '../log-spans.ts';
import { plainScreen } from '../plain-screen.ts';
import { type Paragraph, plainText, type Screen } from '../screen.ts';

/** Platforms take about 4,000 characters. */
const LIST_LENGTH = 3_500;

/**
 * The alerts of an hour beyond those that were posted one by one, of each thread the newest, the strongest first; null when
 * there are none. `head` is the newest entry of the log that the channel may see.
 */
export function moreAlerts(
  hourStart: EpochMs,
  rolledUp: readonly Alert[],
  head: LogHead | null,
): Screen | null {
  if (rolledUp.length === 0) return null;
  const alerts = newestOfThreads(rolledUp);
  const hour = `${utcMinute(hourStart).slice(0, -4)} to ${utcMinute(hourStart + HOUR_MS).slice(11)}`;
  const strongest = alerts.toSorted((a, b) => b.score - a.score || a.id - b.id);
  // The head comes early: Discord cuts what is longer than 2,000 characters.
  const title: Paragraph = [
    { bold: counted(alerts.length, 'more suspicious trade') },
    `\n${hour}`,
    ...logLine(head),
  ];
  const body = [title, ...listed(strongest, LIST_LENGTH - 200)];
  return plainScreen('more_alerts', body, []);
}

/** As many as fit into so many characters, and how many did not. */
export function listed(alerts: readonly Alert[], length: number): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let left = length;
  for (const alert of alerts) {
    const line = alertLine(alert);
    left -= plainText({ body: [line] }).length + 2;
    if (left < 0) break;
    paragraphs.push(line);
  }
  const rest = alerts.length - paragraphs.length;
  return rest === 0 ? paragraphs : [...paragraphs, [`… and ${rest} more`]];
}

/** An alert as one entry of a list: the market, what was traded for how much, and how strong it is. */
export function alertLine(
  alert: DescribedAlert & Pick<Alert, 'eventTitle' | 'eventSlug' | 'score'>,
): Paragraph {
  return [
    { link: marketAddress(alert.eventSlug), text: alert.eventTitle },
    `\n${capitalised(describeTrade(alert))} · score ${alert.score}`,
  ];
}
