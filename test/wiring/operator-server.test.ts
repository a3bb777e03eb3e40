import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MetricsExport } from '../../src/infra/telemetry/metrics.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { OperatorServer } from '../../src/wiring/operator-server.ts';
import { exportServiceMetrics } from '../../src/wiring/service-metrics.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { START } from '../support/rows.ts';

function openServer(settings: Readonly<Record<string, string>> = {}) {
  const config = configOf({ ROLES: 'ingest,jobs', PORT: '0', ...settings });
  const logger = createRecordingLogger();
  const database = {
    ping: async () => {},
    alerts: { last: async () => ({ publishedAt: START - 90_000 }) as { publishedAt: number } | null },
    records: { at: async () => null as number | null },
  };
  const metrics = new MetricsExport();
  const context = { config, clock: createFakeClock(START), logger, metrics, database };
  exportServiceMetrics(context as unknown as AppContext);
  const readiness = async () => ({ ready: false, checks: { source: { ready: false } } });
  const server = new OperatorServer(context as unknown as AppContext, readiness);
  onTestFinished(() => server.close());
  const address = () => {
    const line = logger.lines.find(({ message }) => message.startsWith('answers'));
    return String((line?.fields as { address: string } | undefined)?.address);
  };
  return { server, logger, database, address };
}

test('a process without the API answers /healthz, /readyz and /metrics, and nothing else', async () => {
  const { server, address } = openServer();
  await server.start();

  const statusOf = async (path: string) => (await fetch(address() + path)).status;
  expect(await statusOf('/healthz')).toBe(200);
  expect(await statusOf('/readyz')).toBe(503);
  expect(await statusOf('/api/v1/hot-markets')).toBe(404);
  expect(await (await fetch(`${address()}/readyz`)).json()).toMatchObject({ checks: { source: {} } });
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  expect((await fetch(`${address()}/metrics`, { headers: forwarded })).status).toBe(401);
});

test('its metrics show the version, its roles, whether the database answers, and the ages of the last alert and of the record', async () => {
  const { server, address, database } = openServer();
  await server.start();
  const lines = async () => (await (await fetch(`${address()}/metrics`)).text()).split('\n');

  database.alerts.last = async () => null;
  const ages = /^tipoff_(last_alert|record)_age_seconds/;
  expect((await lines()).filter((line) => ages.test(line))).toEqual([]);
  database.alerts.last = async () => ({ publishedAt: START - 90_000 });
  database.records.at = async () => START - 1_800_000;
  expect(await lines()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^tipoff_build_info\{version="[\d.]+",node="v24\.[\d.]+",roles="ingest,jobs"\} 1$/,
      ),
      'tipoff_database_up 1',
      'tipoff_last_alert_age_seconds 90',
      'tipoff_record_age_seconds 1800',
    ]),
  );
  database.ping = () => Promise.reject(new Error('away'));
  database.alerts.last = () => Promise.reject(new Error('away'));
  expect(await lines()).toEqual(
    expect.arrayContaining(['tipoff_database_up 0', 'tipoff_last_alert_age_seconds 90']),
  );
});

test('a port that is taken ends no process without the API: it works without an answer, which is logged', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { server, logger } = openServer({ PORT: String(port) });

  await server.start();

  expect(logger.lines).toEqual([
    {
      level: 'warn',
      message: 'cannot listen: this process has no /healthz, /readyz or /metrics',
      fields: { reason: `PORT: ${port} is taken; choose another, or 0 for a free one` },
    },
  ]);
});
