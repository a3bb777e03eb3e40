import { runAtTapeTime } from '../../../test/support/market/run-at-tape-time.ts';
import type { ClockReading } from '../../../test/support/market/tape-clock.ts';
import { measureProcess } from './measure-process.ts';

/** What the bench sends to the service: the reading of its clock, or the order to measure itself. */
export type Order = { readonly clock: ClockReading } | 'measure';

await runAtTapeTime((message, clock) => {
  const order = message as Order;
  if (order !== 'measure') return clock.follow(order.clock);
  const time = clock.now();
  const measured = measureProcess();
  // The market stands still meanwhile, and so does this clock.
  clock.follow({ at: Date.now(), time, speed: clock.speed });
  process.send?.(measured);
});
