import { createConsolePosts } from '../../bots/admin/console-posts.ts';
import { OperatorConsole } from '../../bots/admin/operator-console.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { scheduledAlerts } from '../core/alerts/archive/archive-scheduler.ts';
import type { Channel } from '../core/chat/chat-message.ts';
import type { Messenger } from '../core/chat/messenger.ts';
import { JOB_NAMES } from '../core/operations/job-run-store.ts';
import { type CommandNeed, RequestSender } from '../core/operations/operator-request.ts';
import { serveRequests } from '../core/operations/serve-requests.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';
import type { AppContext } from './app-context.ts';
import { platformsOf } from './platforms.ts';

interface ConsoleParts {
  /** Null in a process without jobs. */
  readonly jobs: JobRunner | null;
  /** Those of the bots that run in this process; they may be added later. */
  readonly messengers: Partial<Record<Channel, Pick<Messenger<never>, 'remove'>>>;
  readonly signal: AbortSignal;
}

/** The operator's console of a process. What the process cannot do, it sends to one that can. */
export function wireConsole(
  context: AppContext,
  { jobs, messengers, signal }: ConsoleParts,
): OperatorConsole {
  const { config, clock, logger, database, archive, customers } = context;
  const alerts = scheduledAlerts(database.alerts, archive.own);
  const { chat, heartbeats, operatorRequests } = database;
  const platforms = platformsOf(config.chat);
  return new OperatorConsole({
    adminIds: config.chat.adminIds,
    customers,
    keys: database.keys,
    usage: database.usage,
    alerts,
    reads: database.operatorReads,
    posts: createConsolePosts({ store: chat, alerts, customers, messengers, platforms, clock, signal }),
    serves: jobs === null ? ['bots'] : ['bots', 'jobs'],
    requests: new RequestSender({ requests: operatorRequests, heartbeats, clock, random: secureRandom }),
    outbox: chat,
    pauses: database.pauses,
    statements: database.statements,
    jobs: { names: JOB_NAMES, latest: database.jobRuns.latest, run: jobs?.run ?? null },
    heartbeats,
    alarms: database.operatorAlarms,
    audit: database.audit,
    random: secureRandom,
    clock,
    logger,
  });
}

interface ServedConsole {
  readonly console: OperatorConsole;
  readonly needs: CommandNeed;
  readonly signal: AbortSignal;
}

/** Carries out what operators of other processes ask for, until the signal aborts. */
export function serveConsole(
  { database, clock, logger }: Pick<AppContext, 'database' | 'clock' | 'logger'>,
  { console, needs, signal }: ServedConsole,
): Promise<void> {
  const { operatorRequests: requests } = database;
  const obey: OperatorConsole['obey'] = (request) => console.obey(request);
  return serveRequests({ requests, needs, obey, clock, logger }, signal);
}
