import type { Alert } from '../../core/alerts/alert.ts';
import { type DescribedAlert, describeTrade } from '../../core/alerts/describe-alert.ts';
import { capitalised, cutText, oneLine } from '../../core/base/text/formats.ts';
import type { AlertType } from '../../core/detection/candidate.ts';
import type { Category } from '../../core/trades/trade.ts';

/** In code points. */
const TITLE_LENGTH = 200;
const OUTCOME_LENGTH = 100;
const UNTITLED = 'A market without a title';

/** What kind of alert it is, in words. */
export const TYPE_WORDS: Readonly<Record<AlertType, string>> = {
  fresh: 'New wallet',
  fresh_accumulator: 'New wallet keeps buying',
  cluster: 'Several new wallets',
};

/** The question of the alert's market, as one line. */
export function titleOf({ eventTitle }: Pick<Alert, 'eventTitle'>): string {
  const title = cutText(oneLine(eventTitle), TITLE_LENGTH);
  return title === '' ? UNTITLED : title;
}

/** The trade as `describeTrade` puts it, as a sentence without its full stop. */
export function tradeOf(alert: DescribedAlert): string {
  return capitalised(describeTrade({ ...alert, outcome: cutText(oneLine(alert.outcome), OUTCOME_LENGTH) }));
}

/** `Pop culture`. */
export function categoryWords(category: Category): string {
  return capitalised(category.replaceAll('_', ' '));
}
