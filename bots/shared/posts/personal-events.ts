import type { Alert } from '../../../src/core/alerts/alert.ts';
import { courseWords, resultSign } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { exitWords } from '../../../src/core/alerts/exits/exit-words.ts';
import { capitalised, cents } from '../../../src/core/base/text/formats.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { wallClockIn } from '../../../src/core/base/time/zoned-time.ts';
import type { ChatFacts } from '../../../src/core/chat/chat-message.ts';
import { FOLLOWS_BUTTON, LAST_ALERTS_BUTTON, SETTINGS_BUTTON } from '../conversation/buttons.ts';
import { plainScreen, type Screen } from '../screen.ts';
import { type AlertContext, alertButtons, marketSpan, stakeWords } from './personal-alert.ts';

/** What was sold or hedged of an alert's position. */
export function personalExit(alert: Alert, exit: Exit, context: AlertContext): Screen {
  return plainScreen(
    'personal_exit',
    [[{ bold: exitWords(exit) }, '\n', marketSpan(alert), `\n${capitalised(stakeWords(alert))}`]],
    alertButtons(alert, context),
  );
}

/** How the market of an alert ended, after what was sold before; `exit`: the last one. `isCorrection`: the person was told another. Null while it is open. */
export function personalResult(
  alert: Alert,
  { exit, isCorrection }: { readonly exit: Exit | null; readonly isCorrection: boolean },
  context: AlertContext,
): Screen | null {
  const course = courseWords(alert, exit);
  if (alert.resolution === null || course === null) return null;
  const { payout } = alert.resolution;
  const split = payout === 0 || payout === 1 ? '' : `, settled at ${cents(payout)} a share`;
  const outcome = isCorrection ? `Corrected: ${course}` : capitalised(course);
  const line = `${resultSign(alert)} ${outcome}${split}`;
  return plainScreen(
    'personal_result',
    [[{ bold: line }, '\n', marketSpan(alert), `\n${capitalised(stakeWords(alert))}`]],
    alertButtons(alert, context),
  );
}

/** The day is full: when the rest comes, by the person's clock. `now`: when it was made. */
export function personalLimit({ listAt, zone, hasMore }: ChatFacts['personal_limit'], now: EpochMs): Screen {
  const shown = (at: EpochMs) => new Date(wallClockIn(zone, at)).toISOString();
  const day = shown(now).slice(0, 10) === shown(listAt).slice(0, 10) ? '' : ' tomorrow';
  const when = `${shown(listAt).slice(11, 16)}${zone === 'UTC' ? ' UTC' : ''}${day}`;
  const more = hasMore ? ' Alerts of the wallets and markets that you follow still come.' : '';
  return plainScreen(
    'personal_limit',
    [`That’s today’s limit. The rest come as one list at ${when}.${more}`],
    [[FOLLOWS_BUTTON, SETTINGS_BUTTON]],
  );
}

/** A week without a message, in one line, so that nobody wonders whether the service still works. */
export function personalWeek(): Screen {
  return plainScreen(
    'personal_week',
    [[{ bold: 'All quiet.' }, ' There was nothing to report in the last 7 days. I am still watching.']],
    [[FOLLOWS_BUTTON, LAST_ALERTS_BUTTON]],
  );
}
