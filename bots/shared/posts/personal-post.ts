import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import { describeResult, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import { exitWords } from '../../../src/core/alerts/exits/exit-words.ts';
import { capitalised, marketAddress, oneLine } from '../../../src/core/base/text/formats.ts';
import type { ChatMessage, PersonalKind } from '../../../src/core/chat/chat-message.ts';
import { plainScreen, type Screen, shortened } from '../screen.ts';

const TITLE_LENGTH = 200;

/** A message about a person's follows; null when its alert is gone. */
export async function personalPost(
  { kind, facts }: ChatMessage & { readonly kind: PersonalKind },
  { alerts, exits }: { readonly alerts: Pick<AlertStore, 'byId'>; readonly exits: Pick<ExitReader, 'one'> },
): Promise<Screen | null> {
  if (kind === 'personal_list' || kind === 'personal_week') return plainScreen(kind, [NOTES[kind]], []);
  const alert = await alerts.byId(facts.alertId);
  const exit = kind === 'personal_exit' ? await exits.one(facts.exit) : null;
  return alert && alertText(kind, alert, exit);
}

/** `exit`: what it tells; null for other kinds. */
function alertText(kind: PersonalKind, alert: Alert, exit: Exit | null): Screen {
  const result = describeResult(alert);
  const first = kind === 'personal_alert' ? `${alert.score} · ` : '';
  const trade = describeTrade({ ...alert, outcome: shortened(alert.outcome, TITLE_LENGTH) });
  const title = shortened(oneLine(alert.eventTitle), TITLE_LENGTH);
  return plainScreen(
    kind,
    [
      [{ bold: first === '' ? capitalised(trade) : first + trade }],
      [{ link: marketAddress(alert.eventSlug), text: title }],
      ...(exit === null ? [] : [[`${exitWords(exit)}.`]]),
      ...(result === null ? [] : [[result]]),
    ],
    [],
  );
}

const NOTES = {
  personal_list: 'Alerts that match what you follow were not sent one by one.',
  personal_week: 'You were sent nothing in the last seven days.',
};
