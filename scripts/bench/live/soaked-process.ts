import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { TapeClock } from '../../../test/support/market/tape-clock.ts';
import { type ServiceProcess, startService } from '../../../test/support/service-process.ts';
import type { Measured, Order } from './messages.ts';

const DRAIN_MS = 20;

/** The service in a process of its own at the tape's time. */
export interface SoakedProcess {
  readonly service: ServiceProcess;
  readonly address: string;
  /** The tape stands still while it takes. */
  measure(): Promise<Measured>;
}

export async function startSoaked(
  settings: Readonly<Record<string, string>>,
  clock: TapeClock,
): Promise<SoakedProcess> {
  const { speed } = clock;
  const service = startService(
    { ...settings, TAPE_CLOCK: JSON.stringify(clock.reading()) },
    { entry: 'scripts/bench/live/soaked-service.ts', hasChannel: true },
  );
  const tell = (order: Order) => void service.child.send(order, () => {});
  const { address } = await service.logged('listening');
  return {
    service,
    address: String(address),
    async measure() {
      clock.runAt(0);
      const answer = once(service.child, 'message', { signal: AbortSignal.timeout(300_000) });
      tell('measure');
      const [measured] = await answer;
      clock.runAt(speed);
      tell({ clock: clock.reading() });
      await delay(DRAIN_MS);
      return measured as Measured;
    },
  };
}
