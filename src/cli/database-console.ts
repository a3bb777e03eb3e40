import { createConsolePosts } from '../../bots/admin/console-posts.ts';
import { createAdminConsole } from '../../bots/admin/create-console.ts';
import type { AdminConsole } from '../../bots/shared/admin-console.ts';
import { CHANNELS } from '../core/chat/chat-message.ts';
import { createCustomerService } from '../core/customers/create-customer-service.ts';
import { JOB_NAMES } from '../core/job-names.ts';
import type { Database } from '../core/ports/database.ts';
import { argon2Hasher } from '../infra/argon2-hasher.ts';
import { createHandleMarks } from '../infra/handle-marks.ts';
import { secureRandom, sha256 } from '../infra/key-crypto.ts';
import { createLogger } from '../infra/logger.ts';
import { systemClock } from '../infra/system-clock.ts';

/** The console on a database alone: what needs a bot or a job of a running service says so. */
export function createDatabaseConsole(database: Database): AdminConsole {
  const { keys, usage, alerts, chat, switches, jobRuns, pulses, audit } = database;
  const customers = createCustomerService({
    ...{ customers: database.customers, keys, presets: database.presets, webhooks: database.webhooks },
    hasher: argon2Hasher,
    random: secureRandom,
    clock: systemClock,
    digest: sha256,
    markOf: createHandleMarks({ secrets: database.secrets, random: secureRandom }),
  });
  const logger = createLogger('error', { write: (line) => void process.stderr.write(line) });
  return createAdminConsole({
    adminIds: [],
    customers,
    ...{ keys, usage, alerts, switches, pulses, audit, logger },
    reads: database.operatorReads,
    posts: createConsolePosts({
      store: chat,
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
