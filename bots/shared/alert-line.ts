import type { Alert } from '../../src/core/alerts/alert.ts';
import { capitalised, marketAddress } from '../../src/core/alerts/alert-words.ts';
import { type DescribedAlert, describeTrade } from '../../src/core/alerts/describe-alert.ts';
import type { Paragraph } from './screen.ts';

/** An alert as one entry of a list: the market, what was traded for how much, and how strong it is. */
export function alertLine(
  alert: DescribedAlert & Pick<Alert, 'eventTitle' | 'eventSlug' | 'score'>,
): Paragraph {
  return [
    { link: marketAddress(alert.eventSlug), text: alert.eventTitle },
    `\n${capitalised(describeTrade(alert))} · score ${alert.score}`,
  ];
}
