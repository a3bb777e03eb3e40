import { expect, test } from 'vitest';
import { logActivity } from '../../src/core/activity-log.ts';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import { MetricsExport } from '../../src/infra/telemetry/metrics.ts';
import { createFakeClock } from '../support/clock.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

async function run(roles: 'all' | 'api', act: (hour: (ms?: number) => Promise<void>) => Promise<void>) {
  const [clock, logger, stop] = [createFakeClock(0), createRecordingLogger(), new AbortController()];
  const running = logActivity({ activity, roles, clock, logger }, stop.signal);
  await act((ms = HOUR_MS) => clock.advance(ms));
  stop.abort();
  await running;
  expect(clock.sleepers).toBe(0);
  return logger.lines;
}

const { activity, metrics } = new MetricsExport();

test('a line an hour at info has what was done since the one before, and the clients of now', async () => {
  const lines = await run('all', async (hour) => {
    metrics.tradesJudged(40);
    metrics.tradesJudged(2);
    metrics.alertAppended('fresh');
    for (let client = 0; client < 3; client += 1) metrics.streamOpened();
    metrics.streamEnded('client');
    metrics.deliveryEnded('delivered');
    metrics.deliveryEnded('failed');
    metrics.deliveryEnded('expired');
    await hour(HOUR_MS - 1);
    await hour(1);
    metrics.tradesJudged(1);
    await hour();
  });

  const roles = 'all';
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'running; counts of the last hour',
      fields: { roles, trades: 42, alerts: 1, clients: 2, delivered: 1, undelivered: 2 },
    },
    {
      level: 'info',
      message: 'running; counts of the last hour',
      fields: { roles, trades: 1, alerts: 0, clients: 2, delivered: 0, undelivered: 0 },
    },
  ]);
});

test('a process of the API shows its clients only', async () => {
  const [line] = await run('api', (hour) => hour());

  expect(Object.keys(line?.fields ?? {})).toEqual(['roles', 'clients']);
});
