import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ALERT_TYPES } from '../core/alerts/alert.ts';
import { EVICTED_KINDS } from '../core/detection/memory-use.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import { JOB_NAMES } from '../core/operations/job-run-store.ts';
import { CLOSE_CODES } from '../core/stream/close-codes.ts';
import { createAnswerTimes } from './answer-times.ts';
import { doctorGauges } from './doctor-metrics.ts';
import { feedMetrics } from './feed-metrics.ts';
import { labelled } from './labelled-counter.ts';

export interface MetricsExport {
  readonly metrics: Metrics;
  /** For the HTTP server: one answer of a route. */
  onAnswer(route: string, status: number, durationMs: number): void;
  /** Exposes whether each bot runs; `areRunning` is called at each scrape. */
  watchBots(areRunning: () => Readonly<Record<string, boolean>>): void;
  readonly contentType: string;
  render(): Promise<string>;
}

const KEY_RESULTS = ['cached', 'verified', 'refused', 'limited'] as const;
const DELIVERY_ENDS = ['delivered', 'failed', 'unknown', 'expired', 'cancelled'] as const;
const CHAT_ENDS = ['sent', 'failed', 'folded', 'dropped'] as const;
const RUN_OUTCOMES = ['done', 'failed'] as const;
const DROP_REASONS = [
  'not_json',
  'too_long',
  'unknown_kind',
  'missing_field',
  'wrong_type',
  'bad_price',
  'bad_size',
  'bad_time',
  'late',
  'repeat',
  'unknown_fill',
] as const;

/** Prometheus metrics of the domain and of the process, in a registry of their own. */
export function createMetrics(): MetricsExport {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = createAnswerTimes();
  return {
    metrics: domainMetrics(registry),
    onAnswer: answers.record,
    watchBots: (areRunning) => botGauge(registry, areRunning),
    contentType: registry.contentType,
    render: async () => `${await registry.metrics()}\n${answers.render()}`,
  };
}

function domainMetrics(registry: Registry): Metrics {
  const argon2 = counterIn(registry, 'argon2_runs_total', 'Keys verified with argon2.');
  const checks = labelled(registry, 'key_checks_total', 'Checks of API keys.', 'result', KEY_RESULTS);
  return {
    ...ingestMetrics(registry),
    ...observationMetrics(registry),
    keyVerified: checks,
    argon2Ran: () => argon2.inc(),
    ...deliveryMetrics(registry),
    chatMessageEnded: labelled(
      registry,
      'chat_messages_total',
      'Messages to users and channels, by outcome.',
      'outcome',
      CHAT_ENDS,
    ),
    jobRan: jobRuns(registry),
    ...streamMetrics(registry),
    ...feedMetrics(registry),
    doctorReported: doctorGauges(registry),
  };
}

type IngestPart =
  | 'rowDropped'
  | 'tradesJudged'
  | 'alertAppended'
  | 'marketResolved'
  | 'snapshotWritten'
  | 'detectorEvicted';

function ingestMetrics(registry: Registry): Pick<Metrics, IngestPart> {
  const trades = counterIn(registry, 'trades_judged_total', 'Trades the detector judged.');
  const resolved = counterIn(
    registry,
    'markets_resolved_total',
    'Times the outcome of a market was applied.',
  );
  const bytes = 'Approximate bytes written to the database for snapshots.';
  const snapshotBytes = counterIn(registry, 'snapshot_bytes_total', bytes);
  const snapshots = new Histogram({
    name: 'tipoff_snapshot_duration_seconds',
    help: 'Time to write a snapshot of the detector.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  const evicted = 'Entries evicted from the memory of the detector.';
  const alerts = 'Alerts that entered the ledger.';
  return {
    rowDropped: labelled(registry, 'rows_dropped_total', 'Rows dropped.', 'reason', DROP_REASONS),
    tradesJudged: (count) => trades.inc(count),
    alertAppended: labelled(registry, 'alerts_total', alerts, 'type', ALERT_TYPES),
    marketResolved: () => resolved.inc(),
    snapshotWritten(durationMs, length) {
      snapshots.observe(durationMs / 1_000);
      snapshotBytes.inc(length);
    },
    detectorEvicted: labelled(registry, 'detector_evicted_total', evicted, 'kind', EVICTED_KINDS),
  };
}

function counterIn(registry: Registry, name: string, help: string): Counter {
  return new Counter({ name: `tipoff_${name}`, help, registers: [registry] });
}

function observationMetrics(registry: Registry): Pick<Metrics, 'hoursObserved' | 'ordersForgotten'> {
  const forgotten = new Counter({
    name: 'tipoff_observation_orders_forgotten_total',
    help: 'Orders evicted from the memory of observations within 27 hours.',
    registers: [registry],
  });
  return {
    hoursObserved: labelled(
      registry,
      'observed_hours_total',
      'Hours of observed markets that were written, or left as stored.',
      'outcome',
      ['written', 'kept'],
    ),
    ordersForgotten: (count) => forgotten.inc(count),
  };
}

function deliveryMetrics(
  registry: Registry,
): Pick<Metrics, 'deliveryEnded' | 'deliveryAttempted' | 'deliveriesWaiting'> {
  const attempts = new Histogram({
    name: 'tipoff_webhook_attempt_duration_seconds',
    help: 'Time of one attempt to deliver to a webhook.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'tipoff_webhook_deliveries_waiting',
    help: 'Webhook deliveries that wait in memory.',
    registers: [registry],
  });
  const ended = labelled(
    registry,
    'webhook_deliveries_total',
    'Webhook deliveries, by outcome.',
    'outcome',
    DELIVERY_ENDS,
  );
  return {
    deliveryEnded: ended,
    deliveryAttempted: (durationMs) => attempts.observe(durationMs / 1_000),
    deliveriesWaiting: (count) => waiting.set(count),
  };
}

function jobRuns(registry: Registry): Metrics['jobRan'] {
  const runs = new Counter({
    name: 'tipoff_job_runs_total',
    help: 'Runs of jobs that this process ended.',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  });
  for (const job of JOB_NAMES) for (const outcome of RUN_OUTCOMES) runs.labels(job, outcome).inc(0);
  return (job, outcome) => runs.labels(job, outcome).inc();
}

function botGauge(registry: Registry, areRunning: () => Readonly<Record<string, boolean>>): void {
  new Gauge({
    name: 'tipoff_bot_up',
    help: 'Whether a chat bot runs; a process on standby exports none.',
    labelNames: ['bot'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [bot, isRunning] of Object.entries(areRunning())) this.labels(bot).set(Number(isRunning));
    },
  });
}

const STREAM_ENDS = ['client', ...(Object.keys(CLOSE_CODES) as (keyof typeof CLOSE_CODES)[])] as const;

function streamMetrics(registry: Registry): Pick<Metrics, 'streamOpened' | 'streamEnded' | 'streamSent'> {
  let open = 0;
  let sent = 0;
  const ended = labelled(registry, 'stream_ended_total', 'Sockets that ended.', 'reason', STREAM_ENDS);
  new Gauge({
    name: 'tipoff_stream_sockets',
    help: 'Sockets of the stream that are open.',
    registers: [registry],
    collect() {
      this.set(open);
    },
  });
  new Counter({
    name: 'tipoff_stream_frames_total',
    help: 'Alerts sent to sockets, counted for each.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(sent);
    },
  });
  return {
    streamOpened() {
      open += 1;
    },
    streamEnded(end) {
      open -= 1;
      ended(end);
    },
    streamSent(frames) {
      sent += frames;
    },
  };
}
