import type { Alert } from '../../src/core/alert.ts';
import { dollars, marketAddress } from '../../src/core/alert-words.ts';
import type { Paragraph } from './screen.ts';

/** An alert as one entry of a list: the market, what was traded for how much, and how strong it is. */
export function alertLine(
  alert: Pick<Alert, 'eventTitle' | 'eventSlug' | 'side' | 'outcome' | 'entryPrice' | 'usdc' | 'score'>,
): Paragraph {
  const { side, outcome, entryPrice, usdc, score } = alert;
  return [
    { link: marketAddress(alert.eventSlug), text: alert.eventTitle },
    `\n${side} ${outcome} at ${entryPrice.toFixed(2)} for ${dollars(usdc)}, score ${score}`,
  ];
}
