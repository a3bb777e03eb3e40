import type { MadeRecord } from '../src/core/record/record-maker.ts';
import { countOf, everyMinutes, type Job } from './schedule.ts';

/** Makes the record again. `publish` measures and stores it; null when there is nothing to measure yet. */
export function recordJob(publish: (signal: AbortSignal) => Promise<MadeRecord | null>): Job {
  return {
    name: 'record',
    schedule: everyMinutes(60),
    async run({ signal }) {
      const made = await publish(signal);
      if (made === null) return 'nothing to measure yet';
      const { alerts, events, measured } = made;
      return `${countOf(alerts, 'alert')} in ${countOf(events, 'event')}, ${countOf(measured, 'market')} measured`;
    },
  };
}
