import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { eventually } from '../../support/chat/driver.ts';
import { KEY, page, secretPage } from '../../support/chat/scripted-conversation.ts';
import { ANNA, openTelegramFixture, startTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../../support/chat/telegram-stand-in.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';

const CONFLICT = {
  code: 409,
  description:
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
};

describe('faults of Telegram', () => {
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
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('TELEGRAM_BOT_TOKEN');
  });

  test('an answer to a poll that is none is tried again, and is no end of the bot', async () => {
    const { telegram, bot, clock } = await openTelegramFixture();
    telegram.fail('getUpdates', { code: 200, description: 'no list' });
    await bot.start();
    await eventually(() => bot.status().state).toBe('failing');
    telegram.push(privateText(ANNA, 'hello'));
    await clock.advance(1_000);
    await eventually(() => telegram.messages(ANNA.id)).toHaveLength(1);
    expect(bot.status().state).toBe('running');
  });

  test('polling waits as long as Telegram says (429)', async () => {
    const { telegram, bot, clock } = await openTelegramFixture();
    telegram.fail('getUpdates', {
      code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: 17 },
    });
    await bot.start();
    await clock.asleep();
    await clock.advance(16_999);
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    await eventually(() => telegram.openPolls).toBe(1);
  });

  test.each([
    [401, 'Unauthorized'],
    [404, 'Not Found'],
  ])(
    'a token that is refused (%i) at the start is tried again after 1 minute, later each time up to 15, until it is taken',
    async (code, words) => {
      const { telegram, bot, conversation, log, clock } = await openTelegramFixture();
      telegram.failAlways('getMe', { code, description: words });
      await bot.start();
      for (const [round, minutes] of [1, 2, 4, 8, 15, 15].entries()) {
        await telegram.answered('getMe', round + 1);
        await clock.asleep();
        expect(bot.status()).toMatchObject({ state: 'refused', detail: expect.stringContaining(words) });
        if (round === 5) telegram.failAlways('getMe', null);
        await clock.advance(minutes * MINUTE_MS - 1);
        expect(clock.sleepers).toBe(1);
        await clock.advance(1);
      }
      telegram.push(privateText(ANNA, 'hello'));
      await eventually(() => conversation.moves).toHaveLength(1);
      expect(bot.status()).toMatchObject({ state: 'running', detail: null });
      const [error] = log.filter((line) => line.includes('"level":"error"'));
      expect(error).toContain('TELEGRAM_BOT_TOKEN');
      expect(log.at(-1)).toContain('runs again');
    },
  );

  test.each([
    [401, 'Unauthorized'],
    [404, 'Not Found'],
  ])('one poll that is refused (%i) is an outage of a minute, and is said once', async (code, words) => {
    const { telegram, bot, conversation, log, clock } = await startTelegramFixture();
    await eventually(() => telegram.openPolls).toBe(1);
    telegram.fail('getUpdates', { code, description: words });
    telegram.push(privateText(ANNA, 'before'));
    await eventually(() => bot.status().state).toBe('refused');
    await clock.asleep();
    telegram.push(privateText(ANNA, 'meanwhile'));
    await clock.advance(MINUTE_MS);
    await eventually(() => conversation.moves.map(({ move }) => move)).toEqual([
      { kind: 'text', text: 'before' },
      { kind: 'text', text: 'meanwhile' },
    ]);
    expect(bot.status()).toMatchObject({ state: 'running', detail: null });
    expect(log.filter((line) => line.includes('refused the token'))).toHaveLength(1);
  });

  test('an update that was fetched just before the token is refused is answered when it is accepted again', async () => {
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

  test('without network at start it is tried again until there is one', async () => {
    const away = await startTelegram();
    await away.close();
    const clock = createFakeClock(START);
    const { bot, log } = await openTelegramFixture({ apiRoot: away.url, clock });
    await bot.start();
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      await clock.asleep();
      expect(bot.status()).toMatchObject({
        state: 'failing',
        detail: expect.stringContaining('ECONNREFUSED'),
      });
      await clock.advance(pauseMs);
    }
    expect(log.filter((line) => line.includes('does not run'))).toHaveLength(1);
  });

  test('a silent Telegram is noticed: the poll ends and is begun again', async () => {
    const { telegram, bot, clock } = await openTelegramFixture({ times: { pollSeconds: 0, attemptMs: 500 } });
    telegram.fail('getUpdates', 'hang');
    await bot.start();
    await clock.asleep();
    expect(bot.status().state).toBe('failing');
    await clock.advance(1_000);
    await telegram.answered('getUpdates', 2);
  });

  test('no token and no key is in any line of the log, whatever goes wrong', async () => {
    const { telegram, bot, conversation, clock, log } = await openTelegramFixture({
      times: { attemptMs: 1_000, answerMs: 1_200 },
    });
    telegram.fail('getMe', 'drop', 'hang', { code: 500, description: `no ${TELEGRAM_TOKEN} here` });
    telegram.fail('getUpdates', 'drop', CONFLICT, { code: 502, description: 'Bad Gateway' });
    telegram.fail('deleteWebhook', 'drop');
    telegram.failAlways('setMyCommands', 'drop');
    telegram.fail('sendMessage', 'drop', 'hang', {
      code: 400,
      description: `Bad Request: no button for ${KEY}`,
    });
    conversation.answer = secretPage;
    await bot.start();
    for (let pause = 0; pause < 7; pause += 1) {
      await clock.asleep();
      await clock.advance(30_000);
    }
    for (let line = 0; line < 3; line += 1) telegram.push(privateText({ id: 20 + line }, '/key'));
    const unanswered = () => log.filter((line) => line.includes('not answered'));
    await eventually(unanswered).toHaveLength(3);
    await bot.messenger.send({ chat: '11' }, page('x'), AbortSignal.timeout(1_000));
    expect(log.length).toBeGreaterThan(5);
    expect(log.join('\n')).not.toMatch(/AAE-abc|sk_live_k|\/bot\d/);
    expect(JSON.stringify(bot.status())).not.toContain('AAE-abc');
  });
});
