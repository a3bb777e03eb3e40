import { ArchiveScheduler, type ScheduleRead } from '../../src/core/alerts/archive/archive-scheduler.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';

/** Runs a read without waiting for a turn. */
export const immediately: ScheduleRead = (read) => read();

export const idleArchive = () => new ArchiveScheduler({ archiveConcurrency: 2 }, systemClock);

export function countingSchedule(schedule: ScheduleRead = immediately) {
  let calls = 0;
  const counting: ScheduleRead = (read) => {
    calls += 1;
    return schedule(read);
  };
  return { schedule: counting, calls: () => calls };
}
