import { collectDefaultMetrics, type Gauge, Registry } from 'prom-client';
import type { Activity } from '../../core/activity-log.ts';
import { CLOSE_CODES } from '../../core/delivery/stream/close-codes.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { EVICTED_KINDS } from '../../core/detection/detector-memory.ts';
import type { Metrics } from '../../core/metrics.ts';
import { DROP_REASONS } from '../../core/trades/source/source.ts';
import { feedMetrics } from './feed-metrics.ts';
import { AnswerTimes, MetricFactory } from './metric-factory.ts';

const DELIVERY_ENDS = ['delivered', 'failed', 'unknown', 'expired', 'cancelled'] as const;
const CHAT_ENDS = ['sent', 'failed', 'folded', 'dropped', 'unknown'] as const;
const RUN_OUTCOMES = ['done', 'failed'] as const;
const STREAM_ENDS = ['client', ...(Object.keys(CLOSE_CODES) as (keyof typeof CLOSE_CODES)[])] as const;

export class MetricsExport {
  readonly #registry = new Registry();
  readonly #create = new MetricFactory(this.#registry);
  readonly #answers = new AnswerTimes();
  readonly metrics: Metrics;
  readonly contentType = this.#registry.contentType;
  readonly onAnswer = this.#answers.record;

  readonly connectionRefused = this.#create.counterBy('connections_refused_total', 'Connections refused.', {
    reason: ['total', 'address', 'files'] as const,
  });

  constructor(jobs: readonly string[] = []) {
    this.metrics = domainMetrics(this.#create, jobs);
    collectDefaultMetrics({ register: this.#registry });
  }

  readonly activity = async (): Promise<Activity> => {
    const sumOf = async (name: string, isCounted = (_outcome: unknown) => true) => {
      const { values = [] } = (await this.#registry.getSingleMetric(`tipoff_${name}`)?.get()) ?? {};
      const counted = values.filter(({ labels }) => isCounted(labels['outcome']));
      return counted.reduce((sum, { value }) => sum + value, 0);
    };
    return {
      trades: await sumOf('trades_judged_total'),
      alerts: await sumOf('alerts_total'),
      clients: await sumOf('stream_sockets'),
      delivered: await sumOf('webhook_deliveries_total', (outcome) => outcome === 'delivered'),
      undelivered: await sumOf('webhook_deliveries_total', (outcome) => outcome !== 'delivered'),
    };
  };

  readonly render = async (): Promise<string> =>
    `${await this.#registry.metrics()}\n${this.#answers.render()}`;

  readonly watchService = (service: ServiceState): void => serviceGauges(this.#create, service);

  /** Exposes whether each bot runs, and how many channels and rights it lacks; the functions are called at each scrape. */
  readonly watchBots = ({ areRunning, missing }: BotGauges): void => {
    const help = 'Whether a chat bot runs; a process on standby exports none.';
    this.#create.gaugeOf('bot_up', help, ['bot'], (gauge) => {
      gauge.reset();
      for (const [bot, isRunning] of Object.entries(areRunning())) gauge.labels(bot).set(Number(isRunning));
    });
    const missingHelp = 'Channels, rights and intents that a chat bot lacks; /readyz names them.';
    this.#create.gaugeOf('bot_setup_missing', missingHelp, ['bot'], (gauge) => {
      gauge.reset();
      for (const [bot, count] of Object.entries(missing())) gauge.labels(bot).set(count);
    });
  };
}

interface BotGauges {
  readonly areRunning: () => Readonly<Record<string, boolean>>;
  readonly missing: () => Readonly<Record<string, number>>;
}

function domainMetrics(create: MetricFactory, jobs: readonly string[]): Metrics {
  return {
    ...ingestMetrics(create),
    ...deliveryMetrics(create),
    chatMessageEnded: create.counterBy('chat_messages_total', 'Messages to users and channels, by outcome.', {
      outcome: CHAT_ENDS,
    }),
    chatUpdateDropped: create.counter(
      'chat_updates_dropped_total',
      'Updates from users that a bot did not answer because too many were waiting.',
    ),
    jobRan: jobRuns(create, jobs),
    ...streamMetrics(create),
    ...feedMetrics(create),
  };
}

function ingestMetrics(create: MetricFactory) {
  const toWrite = 'Time to write a snapshot of the detector.';
  const snapshots = create.durations('snapshot_duration_seconds', toWrite, [0.01, 0.05, 0.1, 0.5, 1, 5]);
  const written = 'Approximate bytes written to the database for snapshots.';
  const snapshotBytes = create.counter('snapshot_bytes_total', written);
  const evicted = 'Entries evicted from the memory of the detector.';
  return {
    rowDropped: create.counterBy('rows_dropped_total', 'Rows dropped.', { reason: DROP_REASONS }),
    tradesJudged: create.counter('trades_judged_total', 'Trades the detector judged.'),
    alertAppended: create.counterBy('alerts_total', 'Alerts that entered the ledger.', { type: ALERT_TYPES }),
    snapshotWritten(durationMs, length) {
      snapshots(durationMs);
      snapshotBytes(length);
    },
    detectorEvicted: create.counterBy('detector_evicted_total', evicted, { kind: EVICTED_KINDS }),
  } satisfies Partial<Metrics>;
}

function deliveryMetrics(create: MetricFactory) {
  const ended = 'Webhook deliveries, by outcome.';
  const attempt = 'Time of one attempt to deliver to a webhook.';
  const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
  const waiting = 'Webhook deliveries that are waiting in memory.';
  return {
    deliveryEnded: create.counterBy('webhook_deliveries_total', ended, { outcome: DELIVERY_ENDS }),
    deliveryAttempted: create.durations('webhook_attempt_duration_seconds', attempt, buckets),
    deliveriesWaiting: create.gauge('webhook_deliveries_waiting', waiting),
  } satisfies Partial<Metrics>;
}

function jobRuns(create: MetricFactory, jobs: readonly string[]): Metrics['jobRan'] {
  const runs = create.counterOf('job_runs_total', 'Runs of jobs that this process ended.', [
    'job',
    'outcome',
  ]);
  for (const job of jobs) for (const outcome of RUN_OUTCOMES) runs.labels(job, outcome).inc(0);
  return (job, outcome) => runs.labels(job, outcome).inc();
}

function streamMetrics(create: MetricFactory) {
  let open = 0;
  const sockets = create.gauge('stream_sockets', 'Sockets of the stream that are open.');
  const ended = create.counterBy('stream_ended_total', 'Sockets that ended.', { reason: STREAM_ENDS });
  return {
    streamOpened() {
      open += 1;
      sockets(open);
    },
    streamEnded(end) {
      open -= 1;
      sockets(open);
      ended(end);
    },
    streamSent: create.counter('stream_frames_total', 'Alerts sent to sockets, counted once per socket.'),
  } satisfies Partial<Metrics>;
}

interface ServiceState {
  readonly version: string;
  readonly roles: string;
  readonly isDatabaseUp: () => Promise<boolean>;
  readonly lastAlertAgeMs: () => Promise<number | null>;
  readonly recordAgeMs: () => Promise<number | null>;
}

function serviceGauges(create: MetricFactory, service: ServiceState): void {
  const { version, roles, isDatabaseUp, lastAlertAgeMs, recordAgeMs } = service;
  const info = create.gaugeOf('build_info', 'What runs in this process; always 1.', [
    'version',
    'node',
    'roles',
  ]);
  info.labels(version, process.version, roles).set(1);
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
