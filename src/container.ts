import { JOB_NAMES } from '../jobs/jobs.ts';
import type { Config } from './config.ts';
import { KeyService } from './core/accounts/keys/key-service.ts';
import type { Hasher } from './core/accounts/keys/key-text.ts';
import { logActivity } from './core/activity-log.ts';
import { ReadTurns } from './core/alerts/alert-index/read-turns.ts';
import { ExitReader } from './core/alerts/exits/exit-reader.ts';
import { Feed, followLedger, type LedgerEnd, ledgerEnd } from './core/alerts/ledger/feed.ts';
import { LogHeads } from './core/alerts/ledger/log-heads.ts';
import { SettlementReader } from './core/alerts/settlements/settlement-reader.ts';
import type { Logger } from './core/base/logger.ts';
import type { SteadyClock } from './core/base/time/clock.ts';
import { ClockGuard } from './core/base/time/clock-guard.ts';
import type { Database } from './core/database.ts';
import type { Ingest } from './core/ingest/ingest.ts';
import { PauseFlags } from './core/operations/pause-flags.ts';
import { databaseFailure, openDatabase } from './infra/database/database.ts';
import { diskSpaceOf } from './infra/database/disk-space.ts';
import { RequestBudget } from './infra/market/polymarket/client/request-budget.ts';
import { processOwner } from './infra/process/process-owner.ts';
import { systemClock } from './infra/process/system-clock.ts';
import { argon2Hasher } from './infra/secrets/argon2-hasher.ts';
import { secureRandom } from './infra/secrets/key-crypto.ts';
import { createLogger } from './infra/telemetry/logger.ts';
import { MetricsExport } from './infra/telemetry/metrics.ts';
import { throttledLogger } from './infra/telemetry/throttled-logger.ts';
import { wireApi } from './wiring/api.ts';
import type { AppContext } from './wiring/app-context.ts';
import { awaitDatabase } from './wiring/await-database.ts';
import { wireBots } from './wiring/bots.ts';
import { wireCoverage } from './wiring/coverage.ts';
import { wireCustomers } from './wiring/customers.ts';
import { wireWorkerAlarm } from './wiring/direct-alarms.ts';
import { wireIngest } from './wiring/ingest.ts';
import { hasBots } from './wiring/platforms.ts';
import { urlInChat } from './wiring/public-url.ts';
import { type Readiness, type ReadinessParts, readinessOf } from './wiring/readiness.ts';
import { recordTermsOf, wireRecord, wireRecordView } from './wiring/record.ts';
import { warnOfSecondProcess } from './wiring/second-process.ts';
import { exportServiceMetrics } from './wiring/service-metrics.ts';
import { wireOutgoing } from './wiring/webhooks.ts';
import { Worker } from './wiring/worker.ts';

const FEED_RETRY_MS = 1_000;

type Parts = Awaited<ReturnType<typeof wireParts>>;

export class Container {
  readonly #context: AppContext;
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #work: Promise<unknown> = Promise.resolve();
  #starting: Promise<unknown> = Promise.resolve();

  constructor(context: AppContext, parts: Parts) {
    this.#context = context;
    this.#parts = parts;
  }

  get logger(): Logger {
    return this.#context.logger;
  }

  get database(): Database {
    return this.#context.database;
  }

  get feed(): Feed {
    return this.#context.feed;
  }

  get keys(): KeyService {
    return this.#parts.keys;
  }

  get ingest(): Ingest | null {
    return this.#parts.worker?.ingest ?? null;
  }

  /** Rejects when the service cannot continue, resolves when it is closed. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Resolves when the server listens, with its address. Rejects with what failed; `close` waits for the end of either. */
  start(): Promise<{ address: string }> {
    const started = this.#start();
    this.#starting = started.catch(() => {});
    return started;
  }

  async #start(): Promise<{ address: string }> {
    const { database, logger, pauseFlags } = this.#context;
    const { api } = this.#parts;
    // Fills the alert index: nothing is answered before.
    const from = await ledgerEnd(database);
    await warnOfSecondProcess(this.#context);
    await pauseFlags.look();
    const address = await api.start();
    // Said last: what fails before ends the process.
    logger.info({ address, docs: `${address}/docs` }, 'listening');
    this.#work = Promise.all(this.#loops(address, from)).catch(this.#ended.reject);
    return { address };
  }

  /** Everything that runs until the service stops. */
  #loops(address: string, from: LedgerEnd): (Promise<void> | null | undefined)[] {
    const { signal } = this.#stop;
    const { config, clock, logger, metrics, pauseFlags } = this.#context;
    const { worker, api, coverage } = this.#parts;
    // Not awaited: a platform that does not answer must not delay the shutdown.
    if (worker === null && hasBots(config.chat)) void wireWorkerAlarm(this.#context).run(signal);
    return [
      pauseFlags.run(signal),
      logActivity({ activity: metrics.activity, roles: config.roles, clock, logger }, signal),
      worker?.run(signal, { address: urlInChat(config.server, address), lastAlertId: from.id }),
      coverage.run(signal),
      api.run(signal),
      // Another process may write the ledger. An alert that this process writes is still announced only once.
      this.#followLedger(from),
    ];
  }

  #followLedger(from: LedgerEnd): Promise<void> {
    const { database, feed, clock, logger } = this.#context;
    const { alertIndex: index } = database;
    return followLedger({ ...database, index, feed, clock, logger }, from, this.#stop.signal);
  }

  /** Stops intake and finishes work in progress, all parts at once; then closes outgoing requests, and the database last. */
  async close(): Promise<void> {
    const { api, outgoing } = this.#parts;
    this.#stop.abort();
    // A part that is still starting would continue after the end.
    await this.#starting;
    await Promise.all([this.#work, api.close()]);
    await outgoing.sender.close();
    await this.#context.database.close();
    this.#ended.resolve();
  }
}

export interface Overrides {
  readonly clock?: SteadyClock;
  readonly logger?: Logger;
  readonly hasher?: Hasher;
}

/** Builds everything once. Throws a `UserError`, or `DatabaseUnavailable` after a minute of waiting. */
export async function createContainer(config: Config, overrides: Overrides = {}): Promise<Container> {
  const logger = throttledLogger(overrides.logger ?? createLogger(config.logLevel), {
    clock: { now: systemClock.monotonic },
    explain: (error) => databaseFailure(error, config.databaseUrl),
  });
  const metrics = new MetricsExport(JOB_NAMES);
  const clock = overrides.clock ?? systemClock;
  const { isHeld: isClockHeld } = new ClockGuard({ clock, logger });
  const hasher = overrides.hasher ?? argon2Hasher;
  const options = { clock, logger, isStart: true };
  const database = await awaitDatabase(() => openDatabase(config.databaseUrl, options), options);
  try {
    const leaseTime = database.readTime ?? (async () => clock.now());
    const context = contextOf({
      config,
      clock,
      isClockHeld,
      leaseTime,
      logger,
      metrics,
      hasher,
      database,
    });
    return new Container(context, await wireParts(context));
  } catch (error) {
    await database.close();
    throw error;
  }
}

type Base = Pick<
  AppContext,
  'config' | 'clock' | 'isClockHeld' | 'leaseTime' | 'logger' | 'metrics' | 'hasher' | 'database'
>;

function contextOf(base: Base): AppContext {
  const { config, clock, logger, hasher, database } = base;
  const { alerts, alertIndex: index, log, pauses } = database;
  return {
    ...base,
    owner: processOwner(),
    feed: new Feed({ alerts, logger, retry: () => clock.sleep(FEED_RETRY_MS) }),
    turns: new ReadTurns(clock),
    logHeads: new LogHeads({ index, log, clock, freeDelayMs: config.freeDelayMs }),
    settlements: new SettlementReader(database),
    exits: new ExitReader(database),
    customers: wireCustomers(database, clock, hasher),
    pauseFlags: new PauseFlags(pauses, clock, logger),
  };
}

async function wireParts(context: AppContext) {
  const { config, clock, hasher, database } = context;
  const budget = new RequestBudget(clock, context.logger);
  const ingest = await wireIngest(context, budget);
  const outgoing = await wireOutgoing(context);
  const terms = await recordTermsOf(config);
  const publishRecord = config.roles === 'all' ? wireRecord(context, terms) : null;
  const coverage = wireCoverage(context);
  const diskSpace = () => diskSpaceOf(config.databaseUrl);
  const readiness = (): Promise<Readiness> =>
    readinessOf(context, { ...workOf(worker, database), coverage, diskSpace });
  const checks = async () => (await readiness()).checks;
  const parts = publishRecord && { ingest, bots: wireBots(context), outgoing, publishRecord, checks };
  const worker: Worker | null = parts && new Worker(context, parts);
  exportServiceMetrics(context);
  const api = wireApi(context, { outgoing, coverage, readiness, record: wireRecordView(context, terms) });
  const keys = new KeyService({ keys: database.keys, hasher, random: secureRandom, clock });
  return { worker, api, keys, outgoing, coverage };
}

/** What runs in this process, or the report of the one in which it does. */
function workOf(
  worker: Worker | null,
  { worker: reports }: Pick<Database, 'worker'>,
): Pick<ReadinessParts, 'ingest' | 'deliver' | 'bots' | 'report'> {
  if (worker === null || worker.isStandby)
    return { ingest: null, deliver: null, bots: null, report: () => reports.get() };
  const { ingest, deliver, bots } = worker;
  return { ingest, deliver, bots };
}
