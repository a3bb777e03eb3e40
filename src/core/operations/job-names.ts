/** The clock work, by name: for those who pause a job from a process that runs none. */
export const JOB_NAMES = [
  'trial-reminders',
  'trial-ends',
  'daily-digest',
  'resolution-sweep',
  'half-done',
  'retention',
] as const;
