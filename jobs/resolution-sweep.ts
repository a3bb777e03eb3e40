import { countOf, everyMinutes, type Job } from './schedule.ts';

export interface ResolutionSweepDeps {
  /** Queues edits of posts that do not show the result of their settled market. Returns how many. */
  readonly sweepResults: () => Promise<number>;
}

/** Finds posts whose result was missed: after a crash, or when the market settled while no bot ran. */
export function resolutionSweep({ sweepResults }: ResolutionSweepDeps): Job {
  return {
    name: 'resolution-sweep',
    schedule: everyMinutes(10),
    run: async () => `${countOf(await sweepResults(), 'result')} found`,
  };
}
