import { countOf, type Job } from './job.ts';
import { everyMinutes } from './schedule.ts';

export interface ResolutionSweepDeps {
  /** Sees to it that every post of a settled market shows the result. Returns how many did not. */
  readonly sweepResults: () => Promise<number>;
}

/** Finds posts whose result was missed: by a crash, or as the market settled while no bot ran. */
export function resolutionSweep({ sweepResults }: ResolutionSweepDeps): Job {
  return {
    name: 'resolution-sweep',
    schedule: everyMinutes(10),
    run: async () => `${countOf(await sweepResults(), 'result')} found`,
  };
}
