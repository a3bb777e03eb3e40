import { counted } from '../../base/text/formats.ts';
import type { ChatMessage } from '../chat-message.ts';
import type { AlarmReading } from './alarm-watch.ts';

/** Messages that are read for the alarm. */
export const UNKNOWN_READ = 100;

/** Messages whose outcome is unknown: they wait for an operator, who else would never hear of them. */
export function unknownMessagesAlarm(unknown: readonly ChatMessage[]): AlarmReading {
  const name = 'messages_unknown';
  if (unknown.length === 0) return { name, sentence: null };
  const many = unknown.length < UNKNOWN_READ ? '' : 'At least ';
  const sentence = `${many}${counted(unknown.length, 'message')} may or may not have been sent, and will not be sent again. The command “outbox” shows each with what to do.`;
  return { name, sentence, newestCaseAt: Math.max(...unknown.map(({ unsureSince }) => unsureSince ?? 0)) };
}
