import type { ConsoleDeps } from '../../bots/admin/console-deps.ts';
import { OperatorConsole } from '../../bots/admin/operator-console.ts';
import { JOB_NAMES } from '../../jobs/jobs.ts';
import type { LogEntry } from '../core/alerts/log/log-entry.ts';
import { enterWithdrawal } from '../core/alerts/withdrawal.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { Channel } from '../core/chat/chat-message.ts';
import type { Messenger } from '../core/chat/messenger.ts';
import { withdraw } from '../core/chat/withdraw.ts';
import type { Database } from '../core/database.ts';
import { serveRequests } from '../core/operations/operator-request.ts';
import { secureRandom, sha256 } from '../infra/secrets/key-crypto.ts';
import type { AppContext } from './app-context.ts';
import { keyMessageRemoval, type RemoveFromChats } from './conversation.ts';
import { platformsOf } from './platforms.ts';

interface ConsoleParts
  extends Omit<
    ConsoleDeps,
    'database' | 'clock' | 'jobNames' | 'withdraw' | 'markWithdrawn' | 'removeKeyMessages' | 'random'
  > {
  readonly database: Database;
  readonly clock: Clock;
  /** Those of the bots that run in this process; they may be added later. */
  readonly messengers: Partial<Record<Channel, Pick<Messenger<never>, 'remove'>>>;
  /** Absent without bots. */
  readonly removeFromChats?: RemoveFromChats;
  readonly signal: AbortSignal;
}

export function openOperatorConsole({
  messengers,
  signal,
  removeFromChats,
  ...parts
}: ConsoleParts): OperatorConsole {
  const { database, clock } = parts;
  const { chat: store, log, alertIndex } = database;
  const onWritten = (entries: readonly LogEntry[]) => alertIndex.add(entries);
  return new OperatorConsole({
    ...parts,
    jobNames: JOB_NAMES,
    removeKeyMessages: keyMessageRemoval(database, removeFromChats),
    withdraw: (alertId) => withdraw({ store, messengers, clock }, alertId, signal),
    markWithdrawn: (withdrawal) => enterWithdrawal({ log, sha256, onWritten }, withdrawal),
    random: secureRandom,
  });
}

export function wireConsole(
  { config, clock, logger, database, customers }: AppContext,
  parts: Pick<ConsoleParts, 'messengers' | 'removeFromChats' | 'signal'>,
): OperatorConsole {
  return openOperatorConsole({
    ...parts,
    database,
    customers,
    clock,
    logger,
    adminIds: config.chat.adminIds,
    alerts: database.alerts,
    requests: null,
    platforms: platformsOf(config.chat),
  });
}

export function serveConsole(
  { database, clock, logger }: Pick<AppContext, 'database' | 'clock' | 'logger'>,
  console: OperatorConsole,
  signal: AbortSignal,
): Promise<void> {
  const { operatorRequests: requests } = database;
  const obey: OperatorConsole['obey'] = (request) => console.obey(request);
  return serveRequests({ requests, obey, clock, logger }, signal);
}
