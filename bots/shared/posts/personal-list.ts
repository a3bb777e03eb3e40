import type { Alert } from '../../../src/core/alerts/alert.ts';
import { describeResult } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { counted } from '../../../src/core/base/text/formats.ts';
import { FOLLOWS_BUTTON, LAST_ALERTS_BUTTON } from '../conversation/buttons.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import { lengthOf, listedWithin } from './list-room.ts';
import { marketSpan, strengthLine } from './personal-alert.ts';

export interface ToldAlert {
  readonly alert: Alert;
  /** The last exit of its thread; null without one. */
  readonly exit: Exit | null;
  /** Whether it may have been sent before: the platform did not answer. */
  readonly isUnsure: boolean;
}

interface PersonalListState {
  /** Whether it follows quiet hours; otherwise it is the evening list. */
  readonly isAfterQuiet: boolean;
  /** Best first. */
  readonly alerts: readonly ToldAlert[];
  /** Number of alerts beyond these. */
  readonly more: number;
  /** Characters of a message on the person's platform, with some left for the heading. */
  readonly room: number;
}

/** What was held back, as one list; null when there is nothing to report. */
export function personalList({ isAfterQuiet, alerts, more, room }: PersonalListState): Screen | null {
  if (alerts.length === 0) return null;
  const title = isAfterQuiet ? 'While it was quiet' : 'This evening’s list';
  const count = alerts.length + more;
  const order = count === 1 ? '' : ', best first';
  const head: Paragraph = [{ bold: title }, `\n${counted(count, 'alert')}${order}.`];
  const list = listedWithin(alerts.map(entry), room - lengthOf([head]), more);
  return plainScreen('personal_list', [head, ...list], [[FOLLOWS_BUTTON, LAST_ALERTS_BUTTON]]);
}

function entry({ alert, exit, isUnsure }: ToldAlert): Paragraph {
  const result = describeResult(alert, exit);
  const ends = [...(result === null ? [] : [result]), ...(isUnsure ? ['may already have been sent'] : [])];
  return [
    { bold: strengthLine(alert) },
    '\n',
    marketSpan(alert),
    [`\nAlert ${alert.id}`, ...ends].join(' · '),
  ];
}
