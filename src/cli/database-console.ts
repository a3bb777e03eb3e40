import { createConsolePosts } from '../../bots/admin/console-posts.ts';
import { OperatorConsole } from '../../bots/admin/operator-console.ts';
import type { AdminConsole } from '../../bots/shared/admin-console.ts';
import { CHANNELS } from '../core/chat/chat-message.ts';
import type { Database } from '../core/database/database.ts';
import { JOB_NAMES } from '../core/operations/job-names.ts';
import { argon2Hasher } from '../infra/argon2-hasher.ts';
import { secureRandom } from '../infra/key-crypto.ts';
import { createLogger } from '../infra/logger.ts';
import { systemClock } from '../infra/system-clock.ts';
import { wireCustomers } from '../wiring/customers.ts';

/** The console on a database alone: what needs a bot or a job of a running service says so. */
export function createDatabaseConsole(database: Database): AdminConsole {
  const { keys, usage, alerts, chat, pauses: switches, statements, jobRuns, heartbeats, audit } = database;
  const customers = wireCustomers(database, systemClock, argon2Hasher);
  const logger = createLogger('error', { write: (line) => void process.stderr.write(line) });
  return new OperatorConsole({
    adminIds: [],
    customers,
    ...{ keys, usage, alerts, pauses: switches, statements, heartbeats, audit, logger },
    reads: database.operatorReads,
    posts: createConsolePosts({
      store: chat,
      alerts,
      customers,
      messengers: {},
      platforms: CHANNELS,
      clock: systemClock,
      signal: new AbortController().signal,
    }),
    outbox: chat,
    jobs: { names: JOB_NAMES, latest: () => jobRuns.latest(), run: null },
    random: secureRandom,
    clock: systemClock,
  });
}
