import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/core/database.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { answerMs } from '../../test/support/chat/telegram-person.ts';
import {
  startTelegram,
  TELEGRAM_TOKEN,
  type TelegramStandIn,
} from '../../test/support/chat/telegram-stand-in.ts';
import { alertForCrowd, putCrowd } from '../../test/support/many-followers.ts';
import { storeAlerts } from '../../test/support/stored.ts';
import { openSqliteFile } from './databases.ts';
import { atMost, figure, median, ms, progress, seconds, whole } from './figure.ts';
import { type Server, startApi } from './service.ts';

/** People of even numbers have Pro keys, and follow the topics of alerts with even numbers. */
const CROWD = { people: 10_000, matching: 20 };
const STEADY = 30;
const FIRST_CHAT = 1_000_000;
const GIVE_UP_SECONDS = 90;
const MOST_LAST_MS = 5_000;
const MOST_ANSWER_MS = 2_000;
const EVERYBODY = whole(CROWD.people);

interface Stage {
  readonly database: Database;
  readonly telegram: TelegramStandIn;
  readonly service: Server;
}

export async function benchFollow(): Promise<readonly string[]> {
  await using file = await openSqliteFile();
  await using database = await openDatabase(file.url);
  const telegram = await startTelegram();
  await putCrowd(database, telegram, { ...CROWD, firstChat: FIRST_CHAT });
  await using service = await startApi(file.url, {
    ROLES: 'all',
    FREE_DELAY_SECONDS: '60',
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
  });
  // From then on alerts are matched.
  while ((await database.chat.cursor('personal_alerts')) === null) await sleep(100);
  const stage = { database, telegram, service };
  const figures = [...(await sendSteadily(stage)), ...(await sendToAll(stage))];
  await telegram.close();
  return figures;
}

/** One alert per second, each for a few people. */
async function sendSteadily({ database, telegram, service }: Stage): Promise<readonly string[]> {
  const times: number[] = [];
  const before = await service.cpuSeconds();
  for (let alert = 1; alert <= STEADY; alert++) {
    const startedAt = performance.now();
    await storeAlerts(database, alertOf(2 * alert));
    await telegram.answered('sendMessage', alert * CROWD.matching);
    times.push(performance.now() - startedAt);
    await sleep(Math.max(0, 1_000 - (performance.now() - startedAt)));
  }
  const cpuMs = (((await service.cpuSeconds()) - before) / STEADY) * 1_000;
  const slowest = Math.max(...times);
  return [
    figure(
      `processor time in a second with an alert for ${CROWD.matching} of ${EVERYBODY} people`,
      ms(cpuMs),
    ),
    figure(
      `until the last of them has it, slowest of ${STEADY} (median ${ms(median(times))})`,
      ms(slowest),
      atMost(slowest, MOST_LAST_MS, ' ms'),
    ),
  ];
}

/** An alert that matches a rule of everybody, and meanwhile commands of one of them. */
async function sendToAll({ database, telegram }: Stage): Promise<readonly string[]> {
  const countSent = () =>
    telegram.calls.filter(({ payload }) => Number(payload['chat_id']) >= FIRST_CHAT).length;
  const before = countSent();
  const startedAt = performance.now();
  await storeAlerts(database, { ...alertOf(2 * STEADY + 1), type: 'cluster', side: 'SELL', usdc: 1e6 });
  const answers: number[] = [];
  let left = CROWD.people;
  let lastAt = 0;
  while (left > 0 && seconds(startedAt) - lastAt < GIVE_UP_SECONDS) {
    answers.push(await answerMs(telegram, { id: 1 }, '/help'));
    const leftNow = CROWD.people - (countSent() - before);
    if (leftNow < left) lastAt = seconds(startedAt);
    left = leftNow;
    if (answers.length % 100 === 0) progress(`still to be sent: ${left}`);
    await sleep(500);
  }
  const longest = Math.max(...answers);
  return [
    figure(
      `an alert for all ${EVERYBODY}, half of whom it is due for after 60 s: until the last has it`,
      `${whole(lastAt)} s${left === 0 ? '' : `, ${left} never`}`,
    ),
    figure(
      `meanwhile: the longest answer to a command, of ${answers.length} (median ${ms(median(answers))})`,
      ms(longest),
      atMost(longest, MOST_ANSWER_MS, ' ms'),
    ),
  ];
}

function alertOf(id: number) {
  return alertForCrowd(id, CROWD, Date.now());
}
