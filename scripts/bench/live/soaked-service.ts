import { parseConfig } from '../../../src/config.ts';
import { createContainer } from '../../../src/container.ts';
import { type ClockReading, createTapeClock } from '../../../test/support/market/tape-clock.ts';
import { measureProcess } from './measure-process.ts';
import type { Order } from './messages.ts';

// The service as src/main.ts runs it, at the tape's time; it measures itself when its parent says so.

const parsed = parseConfig(process.env);
if (!parsed.isOk) throw new Error(parsed.problems.join('\n'));
const clock = createTapeClock(JSON.parse(process.env['TAPE_CLOCK'] ?? '') as ClockReading);
const container = await createContainer(parsed.config, { clock });

process.on('message', (order: Order) => {
  if (order !== 'measure') return clock.follow(order.clock);
  const time = clock.now();
  const measured = measureProcess();
  // The market stands still meanwhile, and so does this clock.
  clock.follow({ at: Date.now(), time, speed: clock.speed });
  process.send?.(measured);
});

async function stop(code: number): Promise<void> {
  await container.close();
  process.exit(code);
}
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void stop(0));
container.ended.catch((error: unknown) => {
  container.logger.error({ err: error }, 'the service cannot go on');
  void stop(1);
});
await container.start();
