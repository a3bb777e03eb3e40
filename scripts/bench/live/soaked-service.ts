import { runAtTapeTime } from '../../../test/support/market/run-at-tape-time.ts';
import { measureProcess } from './measure-process.ts';
import type { Order } from './messages.ts';

// It measures itself when its parent says so.
await runAtTapeTime((message, clock) => {
  const order = message as Order;
  if (order !== 'measure') return clock.follow(order.clock);
  const time = clock.now();
  const measured = measureProcess();
  // The market stands still meanwhile, and so does this clock.
  clock.follow({ at: Date.now(), time, speed: clock.speed });
  process.send?.(measured);
});
