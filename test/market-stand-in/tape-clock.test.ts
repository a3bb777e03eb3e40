import { expect, onTestFinished, test } from 'vitest';
import { startServiceAtTapeTime } from '../support/market/start-service-at-tape-time.ts';
import { createTapeClock } from '../support/market/tape-clock.ts';

const START = Date.UTC(2022, 0, 1);

test('a tape clock runs at its speed from its reading, jumps only forward, and follows another', () => {
  const at = Date.now() - 1_000;
  const clock = createTapeClock({ time: START, speed: 100, at });
  expect(clock.now()).toBeGreaterThanOrEqual(START + 100_000);
  clock.jumpTo(START);
  expect(clock.now()).toBeGreaterThanOrEqual(START + 100_000);
  clock.jumpTo(START + 1e9);
  const other = createTapeClock({ time: 0 });
  other.follow(clock.reading());
  expect(Math.abs(other.now() - clock.now())).toBeLessThan(1_000);
});

test('a jump shortens no sleep; a sleep lasts its length of the clock', async () => {
  const clock = createTapeClock({ time: START, speed: 100 });
  const startedAt = performance.now();
  const slept = clock.sleep(5_000);
  clock.jumpTo(START + 1e9);
  await slept;
  expect(performance.now() - startedAt).toBeGreaterThan(45);
});

test('a service in a process of its own starts on its parent’s clock, takes messages and ends on request', async () => {
  const clock = createTapeClock({ time: START, speed: 10 });
  const service = startServiceAtTapeTime({ DATABASE_URL: 'sqlite::memory:', ROLES: 'api' }, clock);
  onTestFinished(async () => void (await service.end('SIGKILL')));
  const { address } = await service.logged('listening');
  clock.jumpTo(START + 1e9);
  service.tellTime();
  const body = async () => (await (await fetch(`${address}/readyz`)).json()) as unknown;
  expect(await body()).toBeTypeOf('object');
  expect(await service.end('SIGTERM')).toBe(0);
});
