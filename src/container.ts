import type { JobRunner } from '../jobs/job-runner.ts';
import type { Config } from './config.ts';
import { ArchiveScheduler } from './core/archive/archive-scheduler.ts';
import type { Clock } from './core/clock.ts';
import type { Database } from './core/database/database.ts';
import type { DoctorSchedule } from './core/doctor/doctor-schedule.ts';
import type { Ingest } from './core/ingest/ingest.ts';
import type { Hasher } from './core/keys/hasher.ts';
import { KeyService } from './core/keys/key-service.ts';
import { createFeed, type Feed } from './core/ledger/feed.ts';
import { followLedger, ledgerEnd } from './core/ledger/follower.ts';
import { LogHeads } from './core/ledger/log-heads.ts';
import type { Logger } from './core/logger.ts';
import { createHeartbeat } from './core/operations/heartbeat.ts';
import { createPauseFlags } from './core/operations/pause-flags.ts';
import type { DeliveryEngine } from './core/webhooks/delivery-engine.ts';
import { argon2Hasher } from './infra/argon2-hasher.ts';
import { openDatabase } from './infra/database.ts';
import { secureRandom } from './infra/key-crypto.ts';
import { createLogger } from './infra/logger.ts';
import { createMetrics } from './infra/metrics.ts';
import { createRequestBudget } from './infra/polymarket/client/request-budget.ts';
import { processOwner } from './infra/process-owner.ts';
import { systemClock } from './infra/system-clock.ts';
import { type Api, wireApi } from './wiring/api.ts';
import type { AppContext } from './wiring/app-context.ts';
import { type Bots, wireBots } from './wiring/bots.ts';
import { wireCustomers } from './wiring/customers.ts';
import { wireDeliver } from './wiring/deliver.ts';
import { wireDoctor } from './wiring/doctor.ts';
import { type FeedHealthView, wireFeedHealth } from './wiring/feed-health.ts';
import { wireIngest } from './wiring/ingest.ts';
import { type Outgoing, wireOutgoing } from './wiring/outgoing.ts';
import { type Readiness, readinessOf } from './wiring/readiness.ts';

const FEED_RETRY_MS = 1_000;

/** The service, built and not yet started. */
export interface Container {
  readonly logger: Logger;
  readonly database: Database;
  readonly keys: KeyService;
  readonly feed: Feed;
  /** Null where this process does not ingest. */
  readonly ingest: Ingest | null;
  /** Resolves when the server listens, with its address; null without the role `api`. */
  start(): Promise<{ address: string | null }>;
  /** Rejects when the service cannot go on, resolves when it is closed. */
  readonly ended: Promise<void>;
  /** Stops intake, finishes what is in hand, and closes in reverse order. */
  close(): Promise<void>;
}

/** What a test or a command may put in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly hasher?: Hasher;
}

/** Builds everything once. Throws a `UserError` for what the operator can mend. */
export async function createContainer(config: Config, overrides: Overrides = {}): Promise<Container> {
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const hasher = overrides.hasher ?? argon2Hasher;
  const database = await openDatabase(config.databaseUrl, { clock, logger });
  try {
    const feed = createFeed({ alerts: database.alerts, logger, retry: () => clock.sleep(FEED_RETRY_MS) });
    const { freeDelayMs } = config;
    const context = {
      ...{ config, clock, logger, metrics: createMetrics(), database, hasher, feed, owner: processOwner() },
      archive: new ArchiveScheduler(database, clock),
      logHeads: new LogHeads({ ...database, clock, logger, freeDelayMs }),
      customers: wireCustomers(database, clock, hasher),
      pauseFlags: createPauseFlags({ pauses: database.pauses, clock, logger }),
    };
    const budget = createRequestBudget(context);
    const ingest = await wireIngest(context, budget);
    const doctor = wireDoctor(context, ingest, budget);
    const outgoing = wireOutgoing(context);
    const deliver = wireDeliver(context, outgoing);
    const jobs = config.roles.includes('jobs') ? await openJobs(context) : null;
    const bots = wireBots(context, jobs);
    const feedHealth = wireFeedHealth(context);
    const readiness = () => readinessOf(context, { ingest, deliver, bots, feedHealth, doctor });
    const api = config.roles.includes('api') ? wireApi(context, { outgoing, feedHealth, readiness }) : null;
    const keys = new KeyService({ keys: database.keys, hasher, random: secureRandom, clock });
    const work = { ingest, doctor, deliver, jobs, bots, api, outgoing, feedHealth, readiness };
    return { logger, database, keys, feed, ingest, ...lifecycleOf(context, work) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Jobs are loaded only in a process that runs them. */
async function openJobs(context: AppContext): Promise<JobRunner> {
  const { wireJobs } = await import('./wiring/jobs.ts');
  return wireJobs(context);
}

/** What the roles of this process come to; null is a role it does not have. */
interface Work {
  readonly ingest: Ingest | null;
  readonly doctor: DoctorSchedule | null;
  readonly deliver: DeliveryEngine | null;
  readonly jobs: JobRunner | null;
  readonly bots: Bots | null;
  readonly api: Api | null;
  readonly outgoing: Outgoing;
  readonly feedHealth: FeedHealthView;
  readonly readiness: () => Promise<Readiness>;
}

function lifecycleOf(
  context: AppContext,
  { ingest, doctor, deliver, jobs, bots, api, outgoing, feedHealth, readiness }: Work,
): Pick<Container, 'start' | 'ended' | 'close'> {
  const { config, logger, database, pauseFlags, logHeads } = context;
  const stop = new AbortController();
  const { signal } = stop;
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  let work: Promise<unknown> = Promise.resolve();
  let starting: Promise<unknown> = Promise.resolve();

  async function start() {
    const from = await ledgerEnd(database);
    await pauseFlags.look();
    const address = (await api?.start()) ?? null;
    if (address !== null) logger.info({ address, docs: `${address}/docs` }, 'listening');
    await deliver?.start(from.id);
    await jobs?.start();
    const checks = async () => (await readiness()).checks;
    const heartbeat = createHeartbeat({
      ...context,
      heartbeats: database.heartbeats,
      roles: config.roles,
      checks,
    });
    const running = [
      ...[pauseFlags.run(signal), heartbeat.run(signal)],
      ...[ingest?.run(signal), doctor?.run(signal), bots?.run(signal, address)],
    ];
    if (api !== null) running.push(feedHealth.run(signal), logHeads.run(signal));
    // Another process may be the one that writes; what this one writes is heard twice and told once.
    if (api !== null || deliver !== null || bots !== null)
      running.push(followLedger({ ...context, ...database }, from, signal));
    work = Promise.all(running).catch(fail);
    return { address };
  }

  return {
    ended,
    start() {
      const started = start();
      starting = started.catch(() => {});
      return started;
    },
    async close() {
      stop.abort();
      // What starts now would go on after its end.
      await starting;
      await Promise.all([work, api?.close(), deliver?.close(), jobs?.close()]);
      await outgoing.sender.close();
      await database.close();
      end();
    },
  };
}
