import { describe, expect, test } from 'vitest';
import { TELEGRAM_LIMITS } from '../../../bots/telegram/pacer.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ATTEMPT_MS, eventually } from '../../support/chat/driver.ts';
import { KEY, page, secretPage } from '../../support/chat/scripted-conversation.ts';
import {
  ANNA,
  BEN,
  calls,
  newest,
  openTelegramFixture,
  startTelegramFixture,
} from '../../support/chat/telegram-fixture.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import { TELEGRAM_TOKEN } from '../../support/chat/telegram-stand-in.ts';

const CONFLICT = { code: 409, description: 'Conflict: terminated by other getUpdates request' };
const flood = (seconds: number) => ({
  code: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
});

describe('answers beside faults of Telegram', () => {
  test.each([1, 300])(
    'one that is put off (429) for %s s is sent then, and others are answered meanwhile',
    async (seconds) => {
      const { telegram, conversation, clock } = await startTelegramFixture();
      telegram.fail('sendMessage', flood(seconds));
      for (const line of ['/start', 'and then']) telegram.push(privateText(ANNA, line));
      await clock.asleep();
      telegram.push(privateText(BEN, '/start'));
      await eventually(() => telegram.messages(BEN.id)).toHaveLength(1);
      await clock.advance(seconds * 1_000 - 1);
      expect(telegram.messages(ANNA.id)).toEqual([]);
      await clock.advance(1);
      await eventually(() => telegram.messages(ANNA.id)).toHaveLength(2);
      expect(telegram.messages(ANNA.id)[1]?.text).toContain('and then');
      expect(conversation.moves).toHaveLength(3);
    },
  );

  test('those to one person come at the pace of Telegram, an edit without a wait', async () => {
    const { telegram, clock } = await startTelegramFixture({ limits: TELEGRAM_LIMITS });
    for (const line of ['1', '2']) telegram.push(privateText(ANNA, line));
    await telegram.answered('sendMessage');
    await clock.asleep();
    expect(telegram.messages(ANNA.id)).toHaveLength(1);
    await clock.advance(1_000);
    await telegram.answered('sendMessage', 2);
    telegram.push(privateTap(ANNA, newest(telegram), 'next'));
    await telegram.answered('editMessageText');
  });

  test('a tap is acknowledged on receipt, also while answers wait', async () => {
    const { telegram, clock } = await startTelegramFixture();
    telegram.push(privateText(ANNA, '/start'));
    await telegram.answered('sendMessage');
    const [message] = telegram.messages(ANNA.id);
    if (message === undefined) throw new Error('there is no message');
    telegram.fail('editMessageText', flood(60));
    telegram.push(privateTap(ANNA, message, 'next'));
    await clock.asleep();
    telegram.push(privateTap(ANNA, message, 'next'));
    await telegram.answered('answerCallbackQuery', 2);
    expect(calls(telegram, 'editMessageText')).toHaveLength(1);
    await clock.advance(60_000);
    await telegram.answered('editMessageText', 3);
  });

  test('one is tried again after a 5xx, a timeout and a broken connection, and the conversation is asked once', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture({
      times: { attemptMs: ATTEMPT_MS },
    });
    telegram.fail('sendMessage', { code: 502, description: 'Bad Gateway' }, 'hang', 'drop');
    for (const person of [ANNA, BEN, { id: 13 }]) telegram.push(privateText(person, '/key'));
    await clock.asleep(3);
    await clock.advance(3_000);
    await eventually(() => conversation.shownScreens).toHaveLength(3);
    expect(conversation.moves).toHaveLength(3);
    // The message of the broken connection had arrived.
    expect([11, 12, 13].map((chat) => telegram.messages(chat).length).toSorted()).toEqual([1, 1, 2]);
  });

  test.each([
    ['that cannot be given four times', Array(4).fill({ code: 500, description: 'Internal Server Error' })],
    ['of a user who blocked the bot', [{ code: 403, description: 'Forbidden: bot was blocked by the user' }]],
  ])('one %s ends, and the next update of that person is handled', async (_, faults) => {
    const { telegram, conversation, clock, log } = await startTelegramFixture();
    telegram.fail('sendMessage', ...faults);
    for (const line of ['/key', '/start']) telegram.push(privateText(ANNA, line));
    for (const [attempt] of faults.slice(1).entries()) {
      await telegram.answered('sendMessage', attempt + 1);
      await clock.asleep();
      await clock.advance(12_000);
    }
    await eventually(() => telegram.messages(ANNA.id)).toHaveLength(1);
    expect(conversation.moves).toHaveLength(2);
    expect(log.filter((line) => line.includes('not answered'))).toHaveLength(1);
  });

  test('an answer to an update fetched just before the token was refused is given once the token is accepted again', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture();
    await eventually(() => telegram.openPolls).toBe(1);
    telegram.failAlways('sendMessage', { code: 401, description: 'Unauthorized' });
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    for (const minutes of [1, 2]) {
      await clock.asleep();
      if (minutes === 2) telegram.failAlways('sendMessage', null);
      await clock.advance(minutes * MINUTE_MS);
    }
    await eventually(() => telegram.messages(ANNA.id)).toHaveLength(1);
    expect(conversation.moves).toHaveLength(1);
  });
});

describe('polling beside faults of Telegram', () => {
  test('another poller (409) is logged once, and polling continues when it has stopped', async () => {
    const { telegram, bot, clock, log, conversation } = await openTelegramFixture();
    telegram.failAlways('getUpdates', CONFLICT);
    await bot.start();
    for (const [round, pauseMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      await telegram.answered('getUpdates', round + 1);
      await clock.asleep();
      expect(bot.status()).toMatchObject({ state: 'failing', detail: expect.stringContaining('409') });
      if (round === 6) telegram.failAlways('getUpdates', null);
      await clock.advance(pauseMs - 1);
      expect(clock.sleepers).toBe(1);
      await clock.advance(1);
    }
    telegram.push(privateText(ANNA, 'hello'));
    await eventually(() => conversation.moves).toHaveLength(1);
    expect(bot.status()).toMatchObject({ state: 'running', detail: null });
    const told = log.filter((line) => line.includes('another program takes the updates'));
    expect(told).toEqual([expect.stringContaining('TELEGRAM_BOT_TOKEN')]);
  });

  test.each([
    ['is not a list', { code: 200, description: 'no list' }, 1_000],
    ['names a wait (429)', flood(17), 17_000],
  ])('an answer that %s is tried again after that time', async (_, fault, pauseMs) => {
    const { telegram, bot, clock } = await openTelegramFixture();
    telegram.fail('getUpdates', fault);
    await bot.start();
    await eventually(() => bot.status().state).toBe('failing');
    await clock.asleep();
    await clock.advance(pauseMs - 1);
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    await eventually(() => telegram.openPolls).toBe(1);
    await eventually(() => bot.status().state).toBe('failing');
    telegram.push(privateText(ANNA, 'hello'));
    await eventually(() => telegram.messages(ANNA.id)).toHaveLength(1);
    expect(bot.status().state).toBe('running');
  });

  test('a token of no bot (404) is refused like one that is not valid (401)', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.failAlways('getMe', { code: 404, description: 'Not Found' });
    await bot.start();
    await eventually(() => bot.status()).toMatchObject({
      state: 'refused',
      detail: expect.stringContaining('404'),
    });
  });

  test('a silent Telegram is noticed: the poll ends and is begun again', async () => {
    const { telegram, bot, clock } = await openTelegramFixture({
      times: { pollSeconds: 0, attemptMs: ATTEMPT_MS },
    });
    telegram.fail('getUpdates', 'hang');
    await bot.start();
    await clock.asleep();
    expect(bot.status().state).toBe('failing');
    await clock.advance(1_000);
    await telegram.answered('getUpdates', 2);
  });

  test('no token and no key is in any line of the log, whatever goes wrong', async () => {
    const times = { attemptMs: ATTEMPT_MS };
    const { telegram, bot, conversation, clock, log } = await openTelegramFixture({ times });
    telegram.fail('getMe', 'drop', 'hang', { code: 500, description: `no ${TELEGRAM_TOKEN} here` });
    telegram.fail('getUpdates', 'drop', CONFLICT, { code: 502, description: 'Bad Gateway' });
    telegram.fail('deleteWebhook', 'drop');
    telegram.failAlways('setMyCommands', 'drop');
    const refusal = { code: 400, description: `Bad Request: no button for ${KEY}` };
    telegram.fail('sendMessage', 'drop', 'hang', refusal, refusal, refusal);
    conversation.answer = secretPage;
    await bot.start();
    for (let pause = 0; pause < 7; pause += 1) {
      await clock.asleep();
      await clock.advance(30_000);
    }
    for (let line = 0; line < 3; line += 1) telegram.push(privateText({ id: 20 + line }, '/key'));
    await clock.asleep(2);
    await clock.advance(3_000);
    await eventually(() => log.filter((line) => line.includes('not answered'))).toHaveLength(3);
    await bot.messenger.send({ chat: '11' }, page('x'), AbortSignal.timeout(1_000));
    expect(log.length).toBeGreaterThan(5);
    expect(log.join('\n')).not.toMatch(/AAE-abc|sk_live_k|\/bot\d/);
    expect(JSON.stringify(bot.status())).not.toContain('AAE-abc');
  });

  test('the end of a bot leaves no timer and no connection', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const { telegram, bot, clock } = await openTelegramFixture();
    const before = timers();
    await bot.start();
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('sendMessage');
    await telegram.answered('getUpdates', 1);
    await clock.asleep();
    await bot.close();
    // A timer of an earlier test may have ended meanwhile.
    expect(timers()).toBeLessThanOrEqual(before);
    expect(clock.sleepers).toBe(0);
    await eventually(() => telegram.connections()).toBe(0);
  });
});
