import { counted } from '../../base/text/formats.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { isAlive, type WorkerReport } from '../../operations/worker-report.ts';
import type { ChatMessage } from '../chat-message.ts';
import type { AlarmReading } from './alarm-watch.ts';

/** Share of the disk below which it is almost full. */
const LOW_DISK_PERCENT = 10;
/** A delivery is given up after 10 minutes. */
const LATE_DELIVERY_SECONDS = 300;

interface Checks {
  readonly disk?: { readonly free_percent?: number | null };
  readonly deliveries?: { readonly oldest_seconds?: number };
}

/** What the worker says about its disk and its deliveries. */
export function workerAlarms(report: WorkerReport | null, now: EpochMs): readonly AlarmReading[] {
  // Without a recent report nothing says that an alarm is over.
  if (report === null || !isAlive(report, now)) return [];
  const checks: Checks = report.checks;
  return [
    { name: 'disk_low', sentence: diskSentence(checks) },
    { name: 'webhook_backlog', sentence: backlogSentence(checks) },
  ];
}

/** What a blind feed means; `cause` is the cause of its window. */
export function blindSentence(cause: string): string {
  return `Alerts from this time may be missing or late (cause: ${cause}). It recovers automatically when the market answers.`;
}

function diskSentence({ disk }: Checks): string | null {
  const free = disk?.free_percent ?? 100;
  if (free >= LOW_DISK_PERCENT) return null;
  return `${Math.floor(free)}% of the disk is free. When it is full, nothing more can be stored: free some space.`;
}

function backlogSentence({ deliveries }: Checks): string | null {
  const oldest = deliveries?.oldest_seconds ?? 0;
  if (oldest <= LATE_DELIVERY_SECONDS) return null;
  const minutes = Math.floor(oldest / 60);
  return `The oldest delivery has waited for ${minutes} minutes; after 10 it is given up. The log names webhooks that do not answer.`;
}

/** Messages that are read for the alarm. */
export const UNKNOWN_READ = 100;
const NAMED = 5;

/** Messages of the last day whose outcome is unknown: the operator would otherwise never hear of them. */
export function unknownMessagesAlarm(unknown: readonly ChatMessage[]): AlarmReading {
  const name = 'messages_unknown';
  if (unknown.length === 0) return { name, sentence: null };
  const many = unknown.length < UNKNOWN_READ ? '' : 'At least ';
  const ids = unknown.slice(0, NAMED).map(({ id }) => id);
  const rest = unknown.length > NAMED ? ' …' : '';
  const sentence = `${many}${counted(unknown.length, 'message')} may or may not have been sent, and will not be resent: ${ids.join(', ')}${rest}.`;
  return { name, sentence, newestCaseAt: Math.max(...unknown.map(({ unsureSince }) => unsureSince ?? 0)) };
}
