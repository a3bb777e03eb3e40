/** Names of the scheduled jobs, for processes that run none but pause them. */
export const JOB_NAMES = [
  'trial-reminders',
  'trial-ends',
  'daily-digest',
  'resolution-sweep',
  'half-done',
  'retention',
] as const;
