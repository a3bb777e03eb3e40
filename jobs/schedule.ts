import type { CustomerService } from '../src/core/accounts/customers/customer-service.ts';
import type { AlertStore } from '../src/core/alerts/alert-store.ts';
import type { Clock } from '../src/core/base/time/clock.ts';
import { DAY_MS, type EpochMs, MINUTE_MS } from '../src/core/base/time/duration.ts';
import type { Channel } from '../src/core/chat/chat-message.ts';
import type { Database } from '../src/core/database.ts';
import type { RecordReport } from '../src/core/record/record-report.ts';

/** The newest period that is due at a moment. Of several that were missed while nothing ran, that one is run once. */
export type JobSchedule = (now: EpochMs) => string;

/** Every so many minutes from midnight UTC; the period is the minute, `2026-11-20 10:45`, or with parts of minutes the second. */
export function everyMinutes(minutes: number): JobSchedule {
  const everyMs = minutes * MINUTE_MS;
  const length = Number.isInteger(minutes) ? 16 : 19;
  return (now) => new Date(now - (now % everyMs)).toISOString().slice(0, length).replace('T', ' ');
}

/** Daily at this time, `HH:MM` UTC, for the previous day: the period is that day, `2026-11-20`. */
export function dailyAt(time: string): JobSchedule {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const offsetMs = (hours * 60 + minutes) * MINUTE_MS;
  return (now) => new Date(now - offsetMs - DAY_MS).toISOString().slice(0, 10);
}

export interface JobContext {
  readonly now: EpochMs;
  readonly period: string;
  /** Aborts when the service stops, and at the time limit of the run. */
  readonly signal: AbortSignal;
}

export interface Job {
  /** Lower case with dashes. */
  readonly name: string;
  readonly schedule: JobSchedule;
  /** Does the work and returns what it did. Must be idempotent: it may be called again for the period. */
  run(context: JobContext): Promise<string>;
}

export interface JobDeps {
  readonly database: Database;
  readonly customers: Pick<CustomerService, 'trialsEnding' | 'keysOf' | 'resumeInterrupted'>;
  readonly alerts: Pick<AlertStore, 'search' | 'preview'>;
  readonly channels: readonly Channel[];
  /** Measures and stores the record; null when there is nothing to measure yet. */
  readonly publishRecord: (signal: AbortSignal) => Promise<RecordReport | null>;
  readonly clock: Pick<Clock, 'now'>;
  readonly yieldToLoop: () => Promise<void>;
}
