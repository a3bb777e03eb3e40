import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/infra/database/sqlite/open-sqlite.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { wireDatabaseAlarm, wireWorkerAlarm } from '../../src/wiring/direct-alarms.ts';
import { createDiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { dmOf } from '../support/chat/discord-wire.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { START } from '../support/rows.ts';
import { silentLogger } from '../support/silent-logger.ts';

const ON_TELEGRAM = 42;
const ON_DISCORD = '900000000000000042';

async function openFixture({ isHolder = true, isWorkerWatched = false } = {}) {
  const [telegram, discord] = [await startTelegram(), await createDiscordStandIn()];
  const database = await openSqlite({ path: ':memory:' });
  onTestFinished(async () => {
    await Promise.all([telegram.close(), discord.close(), database.close()]);
  });
  telegram.meet(ON_TELEGRAM);
  const config = configOf({
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_ROOT: discord.api,
    ADMIN_IDS: `telegram:${ON_TELEGRAM},discord:${ON_DISCORD}`,
  });
  const clock = createFakeClock(START);
  const state = { isAway: false, isHolder };
  const ping = async () => {
    if (state.isAway) throw new Error('away');
  };
  const context = {
    ...{ config, clock, logger: silentLogger },
    database: { ...database, ping },
  } as unknown as AppContext;
  const open = () =>
    isWorkerWatched ? wireWorkerAlarm(context) : wireDatabaseAlarm(context, () => state.isHolder);
  const alarms = isWorkerWatched ? [open(), open()] : [open()];
  return {
    ...{ state, database, clock },
    telegram,
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds; passed += 10) {
        for (const alarm of alarms) await alarm.look().catch(() => {});
        await clock.advance(10_000);
      }
    },
    onTelegram: () => telegram.messages(ON_TELEGRAM).map(({ text }) => text),
    onDiscord: () =>
      [...discord.messages.values()]
        .filter(({ channelId }) => channelId === dmOf(ON_DISCORD))
        .map(({ content }) => content),
    stored: async () =>
      (await database.chat.due({ lane: 'private', now: clock.now(), limit: 10 })).map(({ id }) => id),
  };
}

test('while the database is away each operator is notified directly, once; its end goes through the outbox', async () => {
  const { state, pass, onTelegram, onDiscord, stored } = await openFixture();
  await pass(10);
  state.isAway = true;
  // The bots are off without their lease.
  state.isHolder = false;
  await pass(120);

  for (const texts of [onTelegram(), onDiscord()])
    expect(texts).toEqual([expect.stringContaining('The database is not answering.')]);
  expect(await stored()).toEqual([]);

  state.isAway = false;
  await pass(120);
  const id = `operator_alarm:database_away:${START + 10_000}:over`;
  expect(await stored()).toEqual([
    `${id}@operator:discord:${ON_DISCORD}`,
    `${id}@operator:telegram:${ON_TELEGRAM}`,
  ]);
});

test('a platform that asks to wait is tried again, and the others get no second message', async () => {
  const { state, telegram, pass, onTelegram, onDiscord } = await openFixture();
  await pass(10);
  state.isAway = true;
  const tooMany = { code: 429, description: 'Too Many Requests', parameters: { retry_after: 5 } };
  telegram.fail('sendMessage', tooMany);
  await pass(120);

  expect([onTelegram().length, onDiscord().length]).toEqual([1, 1]);
});

test('a process that did not run the bots leaves the message to the one that did', async () => {
  const { state, pass, onTelegram } = await openFixture({ isHolder: false });
  await pass(10);
  state.isAway = true;
  await pass(120);

  expect(onTelegram()).toEqual([]);
});

test('of two API processes one tells the operators that the worker is silent, and then that it works again', async () => {
  const { database, clock, pass, onTelegram, onDiscord, stored } = await openFixture({
    isWorkerWatched: true,
  });
  const report = () =>
    database.worker.put({ owner: 'host/1', at: clock.now(), address: 'http://localhost:8080', checks: {} });
  await pass(60);
  await report();
  await pass(30);
  expect(onTelegram()).toEqual([]);
  await pass(60);
  for (const texts of [onTelegram(), onDiscord()])
    expect(texts).toEqual([expect.stringContaining('The service has stopped its work.')]);

  for (let count = 0; count < 8; count += 1) {
    await report();
    await pass(10);
  }
  expect(await stored()).toHaveLength(2);
  expect(onTelegram()).toHaveLength(1);
});
