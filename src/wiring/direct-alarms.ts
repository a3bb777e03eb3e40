import { note } from '../../bots/shared/posts/notes.ts';
import { type AlarmReading, AlarmWatch } from '../core/chat/alarms/alarm-watch.ts';
import type { Channel, NewChatMessage } from '../core/chat/chat-message.ts';
import type { OperatorAlarm, OperatorAlarms } from '../core/operations/operator-alarm.ts';
import { isAlive } from '../core/operations/worker-report.ts';
import type { AppContext } from './app-context.ts';
import type { OperatorSender } from './platform.ts';
import { openPlatforms, operatorsOf } from './platforms.ts';

export function wireDatabaseAlarm(context: AppContext, isHolder: () => boolean): AlarmWatch {
  const { database } = context;
  let wasHolder = false;
  const read = async (): Promise<AlarmReading> => {
    const failure = await database.ping().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (failure === null) wasHolder = isHolder();
    const sentence =
      'The service serves what it has in memory; alerts and keys wait. It recovers automatically when the database answers.';
    return { name: 'database_away', sentence: failure !== null && wasHolder ? sentence : null };
  };
  return directAlarm(context, memoryAlarms(), read);
}

/** For a process that never becomes the worker. Its alarms are shared: of several such processes one reports. */
export function wireWorkerAlarm(context: AppContext): AlarmWatch {
  const { database, clock } = context;
  const sentence =
    'No trade is judged and nothing is sent. Start a process with ROLES=all; it catches up as far back as the source allows.';
  return directAlarm(context, database.operatorAlarms, async () => {
    const report = await database.worker.get();
    const isGone = report !== null && !isAlive(report, clock.now());
    return { name: 'worker_gone', sentence: isGone ? sentence : null };
  });
}

/** An alarm that is sent directly: the outbox is away with its cause. Its end uses the outbox. */
function directAlarm(
  context: AppContext,
  alarms: Pick<OperatorAlarms, 'list' | 'put'>,
  read: () => Promise<AlarmReading>,
): AlarmWatch {
  const { config, database, clock, logger } = context;
  const sent = new Set<string>();
  return new AlarmWatch({
    readings: async () => [await read()],
    alarms,
    operators: operatorsOf(config.chat),
    async report(messages) {
      const isOver = messages.some(({ kind, facts }) => kind === 'operator_alarm' && facts.until !== null);
      if (isOver) await database.chat.add(messages);
      else await sendDirectly(context, messages, sent);
    },
    clock,
    logger,
  });
}

function memoryAlarms(): Pick<OperatorAlarms, 'list' | 'put'> {
  const alarms = new Map<string, OperatorAlarm>();
  return {
    list: async () => [...alarms.values()],
    put: async (alarm) => void alarms.set(alarm.name, alarm),
  };
}

/** Sends each message once. Throws when one must be retried. */
async function sendDirectly(
  context: AppContext,
  messages: readonly NewChatMessage[],
  sent: Set<string>,
): Promise<void> {
  const senders = await openPlatforms(context.config, (driver, token) => driver.openSender(context, token));
  try {
    const failed: string[] = [];
    for (const message of messages) {
      if (sent.has(message.id)) continue;
      const failure = await sendOne(context, senders, message);
      if (failure === null) sent.add(message.id);
      else failed.push(failure);
    }
    if (failed.length > 0) throw new Error(`messages about an alarm not sent: ${failed.join('; ')}`);
  } finally {
    for (const { close } of Object.values(senders)) close();
  }
}

type Senders = Partial<Record<Channel, OperatorSender>>;

/** Null when there is nothing to try again: what may have arrived is not repeated. */
async function sendOne(
  { clock, logger }: AppContext,
  senders: Senders,
  { recipient, kind, facts }: NewChatMessage,
): Promise<string | null> {
  const [, platform, chat = ''] = recipient.split(':');
  const messenger = senders[platform as Channel]?.messenger;
  const screen = kind === 'operator_alarm' ? note(kind, facts, { now: clock.now(), contact: null }) : null;
  if (messenger === undefined || screen === null) return null;
  const result = await messenger.send({ chat }, screen, AbortSignal.timeout(10_000));
  if (result.ok) return null;
  if (result.reason === 'later') return result.detail;
  logger.warn({ recipient, reason: result.reason, detail: result.detail }, 'message about an alarm lost');
  return null;
}
