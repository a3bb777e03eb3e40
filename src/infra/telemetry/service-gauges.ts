import type { Gauge } from 'prom-client';
import type { MetricFactory } from './metric-factory.ts';

/** What a process reports about itself; the functions are called at each scrape. */
export interface ServiceState {
  readonly version: string;
  readonly roles: readonly string[];
  readonly isDatabaseUp: () => Promise<boolean>;
  /** Null without an alert. */
  readonly lastAlertAgeMs: () => Promise<number | null>;
  /** Null without a record. */
  readonly recordAgeMs: () => Promise<number | null>;
}

/** Gauges that every process exports, whatever its roles. */
export function serviceGauges(create: MetricFactory, service: ServiceState): void {
  const { version, roles, isDatabaseUp, lastAlertAgeMs, recordAgeMs } = service;
  const info = create.gaugeOf('build_info', 'What runs in this process; always 1.', [
    'version',
    'node',
    'roles',
  ]);
  info.labels(version, process.version, roles.join(',')).set(1);
  create.gaugeOf('database_up', 'Whether the database answers: 1 or 0.', [], async (gauge) =>
    gauge.set(Number(await isDatabaseUp())),
  );
  const age = 'Time since the last alert of any process was published; no value before the first one.';
  create.gaugeOf('last_alert_age_seconds', age, [], (gauge) => setAge(gauge, lastAlertAgeMs));
  const recordAge = 'Time since any process made the record; no value before the first one.';
  create.gaugeOf('record_age_seconds', recordAge, [], (gauge) => setAge(gauge, recordAgeMs));
}

async function setAge(gauge: Gauge, readMs: () => Promise<number | null>): Promise<void> {
  const ageMs = await readMs();
  if (ageMs === null) gauge.remove();
  else gauge.set(ageMs / 1_000);
}
