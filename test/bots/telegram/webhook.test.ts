import { Agent } from 'node:http';
import { describe, expect, test } from 'vitest';
import { TelegramBot } from '../../../bots/telegram/telegram-bot.ts';
import { TelegramLink } from '../../../bots/telegram/telegram-link.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { eventually } from '../../support/chat/driver.ts';
import { page } from '../../support/chat/scripted-conversation.ts';
import { ANNA, openTelegramFixture, startTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import { TELEGRAM_TOKEN } from '../../support/chat/telegram-stand-in.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

describe('Telegram with a webhook', () => {
  test('registers its address with Telegram, with a secret that is not the token', async () => {
    const { telegram } = await startTelegramFixture({ isWebhook: true });
    expect(telegram.webhook).toMatchObject({
      url: 'https://bots.example.com/telegram/123456789',
      secret_token: expect.stringMatching(/^[a-f0-9]{64}$/),
    });
    expect(JSON.stringify(telegram.webhook)).not.toContain('AAE-abc');
    expect(telegram.calls.map(({ method }) => method)).not.toContain('getUpdates');
  });

  test('takes an update with the right secret once, and answers when it is done', async () => {
    const { telegram, conversation, listener } = await startTelegramFixture({ isWebhook: true });
    const update = { ...privateText(ANNA, 'hello'), update_id: 7 };
    expect(await telegram.bring(update, listener.port)).toBe(200);
    expect(telegram.messages(ANNA.id)).toHaveLength(1);
    expect(await telegram.bring(update, listener.port)).toBe(200);
    expect(conversation.moves).toHaveLength(1);
  });

  test.each([['wrong'], ['']])('answers 401 to the secret "%s" and does nothing', async (secret) => {
    const { telegram, conversation, listener } = await startTelegramFixture({ isWebhook: true });
    expect(await telegram.bring(privateText(ANNA, 'hello'), listener.port, secret)).toBe(401);
    expect(conversation.moves).toEqual([]);
  });

  test.each<[string, RequestInit & { path?: string }, number]>([
    ['another path', { path: '/telegram/5' }, 404],
    ['another method', { method: 'PUT', body: '{}' }, 404],
    ['no JSON', { body: '{' }, 400],
    ['no update', { body: '[1]' }, 400],
    ['a body above 256 KB', { body: 'x'.repeat(256 * 1_024 + 1) }, 413],
  ])('%s is answered with its status', async (_, { path = '/telegram/123456789', ...request }, status) => {
    const { telegram, listener } = await startTelegramFixture({ isWebhook: true });
    const headers = { 'x-telegram-bot-api-secret-token': telegram.webhook?.secret_token ?? '' };
    const address = `http://127.0.0.1:${listener.port}${path}`;
    expect((await fetch(address, { method: 'POST', ...request, headers })).status).toBe(status);
  });

  test('two bots share one port, and the port is free when both are closed', async () => {
    const fixture = await startTelegramFixture({ isWebhook: true });
    const { telegram, bot, conversation, listener, clock, keyMessages } = fixture;
    const token = TELEGRAM_TOKEN.replace('123456789', '987654321');
    const other = new TelegramBot({
      ...{ keyMessages, conversation, clock, metrics: noMetrics, logger: silentLogger },
      ...{ console: null, adminIds: [], channel: null, leakGuard: null },
      link: new TelegramLink({ token, apiRoot: telegram.url, agent: new Agent() }),
      setting: 'TELEGRAM_ADMIN_BOT_TOKEN',
      webhook: { url: 'https://bots.example.com', listener },
    });
    await other.start();
    await telegram.answered('setWebhook', 2);
    const port = listener.port;
    await other.close();
    expect(await statusAt(port)).toBe(404);
    await bot.close();
    expect(await statusAt(port)).toBe('closed');
  });

  test('a webhook that Telegram refuses is failing and tried again', async () => {
    const { telegram, bot, clock, log } = await openTelegramFixture({ isWebhook: true });
    telegram.fail('setWebhook', {
      code: 400,
      description: 'Bad Request: bad webhook: Failed to resolve host',
    });
    await bot.start();
    await clock.asleep();
    expect(bot.status()).toMatchObject({ state: 'failing', detail: expect.stringContaining('resolve host') });
    await clock.advance(1_000);
    await eventually(() => bot.status().state).toBe('running');
    expect(log.join()).not.toContain('AAE-abc');
  });

  test('updates that Telegram cannot deliver are noticed within a minute and named with its reason, until one arrives', async () => {
    const { telegram, bot, clock, listener, log } = await startTelegramFixture({ isWebhook: true });
    await eventually(() => bot.status().state).toBe('running');
    const look = async () => {
      const looks = telegram.calls.filter(({ method }) => method === 'getWebhookInfo').length;
      await clock.asleep();
      await clock.advance(MINUTE_MS);
      await telegram.answered('getWebhookInfo', looks + 1);
    };
    const failed = (seconds: number) => ({
      ...{ pending_update_count: 3, last_error_date: START / 1_000 + seconds },
      last_error_message: 'Connection refused',
    });
    // An error of before the webhook was registered means nothing.
    telegram.delivery = failed(-5);
    await look();
    expect(bot.status().state).toBe('running');
    telegram.delivery = failed(30);
    for (const _ of [1, 2]) {
      await look();
      await eventually(() => bot.status()).toMatchObject({
        state: 'unreachable',
        detail: expect.stringMatching(/: 3; Connection refused$/),
      });
    }
    expect(log.filter((line) => line.includes('Telegram cannot deliver updates'))).toHaveLength(1);

    // Telegram keeps the error; others may still wait.
    await telegram.bring(privateText(ANNA, 'hello'), listener.port);
    await look();
    await eventually(() => bot.status().state).toBe('running');
    telegram.delivery = failed(1_000);
    await look();
    await eventually(() => bot.status().state).toBe('unreachable');
    telegram.delivery = { ...failed(1_000), pending_update_count: 0 };
    await look();
    await eventually(() => bot.status().state).toBe('running');
  });

  test('a webhook that another program removed is registered again', async () => {
    const { telegram, link, bot, clock } = await startTelegramFixture({ isWebhook: true });
    await eventually(() => bot.status().state).toBe('running');
    await link.api.deleteWebhook();
    await clock.asleep();
    await clock.advance(MINUTE_MS);
    await telegram.answered('setWebhook', 2);
    expect(telegram.webhook).not.toBeNull();
  });

  test('an update that takes long is answered before it is done', async () => {
    const { telegram, conversation, listener } = await startTelegramFixture({ isWebhook: true });
    const gate = Promise.withResolvers<void>();
    conversation.answer = async () => {
      await gate.promise;
      return page('done');
    };
    expect(await telegram.bring(privateText(ANNA, 'hello'), listener.port)).toBe(200);
    expect(telegram.messages(ANNA.id)).toEqual([]);
    gate.resolve();
    await telegram.answered('sendMessage');
  });
});

function statusAt(port: number, host = '127.0.0.1'): Promise<number | 'closed'> {
  return fetch(`http://${host}:${port}/`).then(
    ({ status }) => status,
    () => 'closed',
  );
}
