import { parseConfig } from '../../../src/config.ts';
import { createContainer } from '../../../src/container.ts';
import { type ClockReading, createTapeClock } from './tape-clock.ts';

// The service as src/main.ts runs it, at the time its parent says: first by the environment, then by messages.

const parsed = parseConfig(process.env);
if (!parsed.isOk) throw new Error(parsed.problems.join('\n'));
const clock = createTapeClock(JSON.parse(process.env['TAPE_CLOCK'] ?? '') as ClockReading);
process.on('message', (reading) => clock.follow(reading as ClockReading));

const container = await createContainer(parsed.config, { clock });
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
