import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/core/database.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { answerMs } from '../../test/support/chat/telegram-person.ts';
import {
  startTelegram,
  TELEGRAM_TOKEN,
  type TelegramStandIn,
} from '../../test/support/chat/telegram-stand-in.ts';
import { alertForCrowd, matchingCost, meetCrowd, putCrowd } from '../../test/support/many-followers.ts';
import { startService } from '../../test/support/service-process.ts';
import { openSqliteFile } from './databases.ts';
import { atMost, type Figure, figure, inMs, median, ms, progress, seconds, whole } from './figure.ts';

const CROWD = { people: 10_000, matching: 20 };
const [STEADY, MATCHED] = [30, 200];
const AIMS = { matchMs: 1, lastMs: 5_000, answerMs: 2_000 };
const FIRST_CHAT = 1_000_000;
const GIVE_UP_SECONDS = 90;
const EVERYBODY = whole(CROWD.people);
const alertOf = (id: number) => alertForCrowd(id, CROWD, Date.now());

/** People of even numbers have Pro keys, and follow the topics of alerts with even numbers. */
export async function benchFollow(): Promise<readonly Figure[]> {
  await using file = await openSqliteFile();
  const [telegram, database] = [await startTelegram(), await openDatabase(file.url)];
  await putCrowd(database, CROWD, { platform: 'telegram', createdAt: Date.now() });
  await meetCrowd(database, telegram, { people: CROWD.people, firstChat: FIRST_CHAT });
  const service = startService({
    ...{ DATABASE_URL: file.url, ROLES: 'bots', FREE_DELAY_SECONDS: '60' },
    ...{ TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN, TELEGRAM_API_ROOT: telegram.url },
  });
  // From then on alerts are matched.
  while ((await database.chat.cursor('personal_alerts')) === null) await sleep(100);
  const sent = [await sendSteadily(database, telegram), ...(await sendToAll(database, telegram))];
  await service.end('SIGTERM');
  await telegram.close();
  const alerts = Array.from({ length: MATCHED }, (_, at) => alertOf(2 * STEADY + 2 + at));
  const { cpuMs, writeMs, added } = await matchingCost(database, alerts, systemClock);
  await database.close();
  const matchMs = cpuMs - writeMs;
  const what = `processor time of matching an alert with ${EVERYBODY} people, of whom ${added} are read and judged (mean of ${MATCHED})`;
  return [
    figure(what, ms(matchMs), atMost(matchMs, AIMS.matchMs, inMs)),
    figure(`the same of writing its ${added} messages to the outbox`, ms(writeMs)),
    ...sent,
  ];
}

async function sendSteadily(database: Database, telegram: TelegramStandIn): Promise<Figure> {
  const times: number[] = [];
  for (let alert = 1, last = Promise.resolve(); alert <= STEADY; alert++) {
    const startedAt = performance.now();
    await database.alerts.append(alertOf(2 * alert));
    last = telegram.answered('sendMessage', alert * CROWD.matching);
    void last.then(() => times.push(performance.now() - startedAt));
    await sleep(Math.max(1, 1_000 - (performance.now() - startedAt)));
    if (alert === STEADY) await last;
  }
  const slowest = Math.max(...times);
  const what = `one alert per second, each for ${CROWD.matching} people: until the last has it, slowest of ${STEADY} (median ${ms(median(times))})`;
  return figure(what, ms(slowest), atMost(slowest, AIMS.lastMs, inMs));
}

async function sendToAll(database: Database, telegram: TelegramStandIn): Promise<readonly Figure[]> {
  let read = telegram.calls.length;
  const startedAt = performance.now();
  await database.alerts.append({ ...alertOf(2 * STEADY + 1), type: 'cluster', side: 'SELL', usdc: 1e6 });
  const left = { pro: CROWD.people / 2, free: CROWD.people / 2 };
  const lastAt = { pro: 0, free: 0 };
  const answers: number[] = [];
  const quietSeconds = () => seconds(startedAt) - Math.max(lastAt.pro, lastAt.free);
  while (left.pro + left.free > 0 && quietSeconds() < GIVE_UP_SECONDS) {
    answers.push(await answerMs(telegram, { id: 1 }, '/help'));
    for (; read < telegram.calls.length; read++) {
      const person = Number(telegram.calls[read]?.payload['chat_id']) - FIRST_CHAT;
      if (!(person >= 0)) continue;
      const tier = person % 2 === 0 ? 'pro' : 'free';
      left[tier] -= 1;
      lastAt[tier] = seconds(startedAt);
    }
    if (answers.length % 100 === 0) progress(`still to be sent: ${left.pro} Pro, ${left.free} Free`);
    await sleep(500);
  }
  const until = (tier: 'pro' | 'free') =>
    `${whole(lastAt[tier])} s${left[tier] === 0 ? '' : `, ${left[tier]} never`}`;
  const longest = Math.max(...answers);
  const what = `meanwhile: the longest answer to a command, of ${answers.length} (median ${ms(median(answers))})`;
  return [
    figure(`an alert for all ${EVERYBODY}: until the last with a Pro key has it`, until('pro')),
    figure('the same, until the last with the tier Free has it, due after 60 s', until('free')),
    figure(what, ms(longest), atMost(longest, AIMS.answerMs, inMs)),
  ];
}
