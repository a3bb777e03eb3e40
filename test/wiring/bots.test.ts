import { expect, test } from 'vitest';
import { MetricsExport } from '../../src/infra/telemetry/metrics.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { wireBots } from '../../src/wiring/bots.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { START } from '../support/rows.ts';
import { silentLogger } from '../support/silent-logger.ts';

test('while the database is away the bots are tried again each second, and that is logged', async () => {
  const config = configOf({
    TELEGRAM_BOT_TOKEN: '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  });
  const clock = createFakeClock(START);
  const stop = new AbortController();
  const errors: string[] = [];
  let tries = 0;
  const acquire = async () => {
    tries += 1;
    throw new Error('away');
  };
  const fixture = {
    config,
    clock,
    leaseTime: async () => START,
    owner: 'one',
    metrics: new MetricsExport(),
    logger: { ...silentLogger, error: (_: object, message: string) => void errors.push(message) },
    database: { lease: () => ({ acquire }) },
  } as unknown as AppContext;

  const running = wireBots(fixture)?.run(stop.signal, null);
  for (let second = 0; second < 5; second += 1) {
    await clock.asleep();
    await clock.advance(1_000);
  }
  stop.abort();
  await running;

  expect(tries).toBeGreaterThan(3);
  expect(new Set(errors)).toEqual(new Set(['bots failed; retrying every second']));
});
