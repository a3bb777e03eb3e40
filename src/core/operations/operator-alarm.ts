import type { EpochMs } from '../base/time/duration.ts';

/** Alarms that operators are notified of. */
export const ALARM_NAMES = [
  'feed_blind',
  'database_away',
  'worker_gone',
  'disk_low',
  'webhook_backlog',
  'messages_unknown',
  'bot_unreachable',
  'telegram_token',
  'telegram_admin_token',
  'discord_token',
] as const;
export type AlarmName = (typeof ALARM_NAMES)[number];

/** State of one alarm. It stays after the alarm is over, to count the next ones. */
export interface OperatorAlarm {
  readonly name: AlarmName;
  readonly isRaised: boolean;
  /** What was wrong when it was raised. */
  readonly sentence: string;
  readonly since: EpochMs;
  /** When the trouble ended; null while the alarm is raised. */
  readonly until: EpochMs | null;
  /** Number of times that it was raised, each time less than an hour after the previous one ended. */
  readonly raises: number;
  /** Whether the messages about this state are in the outbox. */
  readonly isReported: boolean;
}

/** The last state of each alarm. */
export interface OperatorAlarmStore {
  /** By name. */
  list(): Promise<readonly OperatorAlarm[]>;
  put(alarm: OperatorAlarm): Promise<void>;
}
