import { countOf, everyMinutes, type Job } from './schedule.ts';

/**
 * Finds posts whose result was missed: after a crash, or when the market settled while no bot ran. `sweepResults` queues edits
 * of posts that do not show the result of their settled market, and returns how many.
 */
export function resolutionSweep(sweepResults: () => Promise<number>): Job {
  return {
    name: 'resolution-sweep',
    schedule: everyMinutes(10),
    run: async () => `${countOf(await sweepResults(), 'result')} found`,
  };
}
