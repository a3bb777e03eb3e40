import type { FakeClock } from './clock.ts';

/** Lets the network run until the condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** Advances a clock with one sleeper until it has woken, and returns how long it slept from now. */
export async function passPause(clock: FakeClock): Promise<number> {
  await until(() => clock.sleepers === 1);
  const start = clock.now();
  while (clock.sleepers === 1 && clock.now() - start < 60_000) await clock.advance(100);
  return clock.now() - start;
}
