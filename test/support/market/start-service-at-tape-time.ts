import { type ServiceProcess, startService } from '../service-process.ts';
import type { TapeClock } from './tape-clock.ts';

/** A service in a process of its own that shares a tape clock with this one. */
export interface ServiceAtTapeTime extends ServiceProcess {
  /** Sends it the time of the clock; call after a jump or a change of speed. */
  tellTime(): void;
}

export function startServiceAtTapeTime(
  env: Readonly<Record<string, string>>,
  clock: TapeClock,
): ServiceAtTapeTime {
  const service = startService(
    { ...env, TAPE_CLOCK: JSON.stringify(clock.reading()) },
    { entry: 'test/support/market/service-at-tape-time.ts', hasChannel: true },
  );
  return {
    ...service,
    tellTime() {
      if (service.child.connected) service.child.send(clock.reading(), () => {});
    },
  };
}
