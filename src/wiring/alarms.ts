import type { ConnectionStatus } from '../../bots/shared/chat-bot.ts';
import { type AlarmReading, AlarmWatch } from '../core/chat/alarms/alarm-watch.ts';
import { blindSentence, heartbeatAlarms } from '../core/chat/alarms/heartbeat-alarms.ts';
import { UNKNOWN_READ, unknownMessagesAlarm } from '../core/chat/alarms/unknown-messages-alarm.ts';
import type { NewChatMessage } from '../core/chat/chat-message.ts';
import { FeedHealthReport } from '../core/trades/coverage/feed-health-report.ts';
import type { AppContext } from './app-context.ts';
import { operatorsOf } from './channels.ts';

/** The alarms whose state is in the database: all but that of the database itself. */
export function wireAlarms(
  { config, database, clock, logger }: AppContext,
  bots: () => readonly ConnectionStatus[],
): AlarmWatch {
  const { heartbeats, operatorAlarms, feedHealth, chat } = database;
  const isWatched = config.source.kind === 'polymarket';
  const report = new FeedHealthReport({ store: feedHealth, clock, isWatched });
  return new AlarmWatch({
    readings: async () => [
      await feedReading(report),
      ...heartbeatAlarms(await heartbeats.list(), clock.now()),
      unknownMessagesAlarm(await chat.unknown(UNKNOWN_READ)),
      reachReading(bots()),
    ],
    alarms: operatorAlarms,
    operators: operatorsOf(config.chat).map(({ platform, id }) => `operator:${platform}:${id}` as const),
    report: (messages: readonly NewChatMessage[]) => chat.add(messages),
    clock,
    logger,
  });
}

function reachReading(bots: readonly ConnectionStatus[]): AlarmReading {
  const cut = bots.find(({ state }) => state === 'unreachable');
  const remedy = 'Check TELEGRAM_WEBHOOK_URL and what is in front of it; what waits is answered then';
  return { name: 'bot_unreachable', sentence: cut === undefined ? null : `${remedy} (${cut.detail}).` };
}

async function feedReading(report: FeedHealthReport): Promise<AlarmReading> {
  const { state, blind } = await report.view();
  return {
    name: 'feed_blind',
    sentence: state === 'blind' ? blindSentence(blind?.cause ?? 'unknown') : null,
  };
}
