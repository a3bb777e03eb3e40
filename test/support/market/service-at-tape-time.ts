import { createContainer } from '../../../src/container.ts';
import { configOf } from '../config.ts';
import { type ClockReading, createTapeClock } from './tape-clock.ts';

// Runs the service as src/main.ts does, until its parent ends it or is gone. The time is that of TAPE_CLOCK first, then of messages.
const config = configOf(process.env);
const clock = createTapeClock(JSON.parse(process.env['TAPE_CLOCK'] ?? '') as ClockReading);
process.on('message', (reading) => clock.follow(reading as ClockReading));
const container = await createContainer(config, { clock });

async function stop(code: number): Promise<void> {
  await container.close();
  process.exit(code);
}

process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void stop(0));
container.ended.catch((error: unknown) => {
  container.logger.error({ err: error }, 'the service cannot continue');
  void stop(1);
});
await container.start();
