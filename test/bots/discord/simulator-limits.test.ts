import { describe, expect, onTestFinished, test } from 'vitest';
import { createDiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { BOT_ID, CHANNEL, dmOf } from '../../support/chat/discord-wire.ts';
import { START } from '../../support/rows.ts';

const ANN = { id: '900000000000000100', name: 'ann' };
const ROUTE = `/channels/${CHANNEL}/messages`;

/** Discord's REST API as any HTTP client sees it. `clock.now` is the time of the platform. */
async function open() {
  const clock = { now: START };
  const discord = await createDiscordStandIn(() => clock.now);
  onTestFinished(() => discord.close());
  async function call(method: string, path: string, body: unknown = {}) {
    const response = await fetch(`${discord.api}/v10${path}`, {
      method,
      headers: { authorization: `Bot ${TOKEN}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }
  return { discord, clock, call, send: (body: object = { content: 'hello' }) => call('POST', ROUTE, body) };
}

describe('the simulator of Discord limits calls as Discord documents', () => {
  test('a route of a channel has a bucket, whose headers say what is left', async () => {
    const { clock, call, send } = await open();
    for (let left = 4; left >= 0; left -= 1) {
      const { status, headers } = await send();
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(left)]);
      expect(headers.get('x-ratelimit-limit')).toBe('5');
    }
    clock.now += 1_500;
    const { status, headers, body } = await send();
    expect([status, body]).toEqual([
      429,
      { message: 'You are being rate limited.', retry_after: 3.5, global: false },
    ]);
    expect(headers.get('retry-after')).toBe('4');
    expect(headers.get('x-ratelimit-scope')).toBe('user');
    expect(headers.get('x-ratelimit-reset-after')).toBe('3.5');
    expect((await call('POST', `/channels/${dmOf(ANN.id)}/messages`, { content: 'x' })).status).toBe(200);
    clock.now += 3_500;
    expect((await send()).status).toBe(200);
  });

  test('50 a second in all, but not of interactions', async () => {
    const { discord, clock, call } = await open();
    for (let count = 0; count < 50; count += 1) expect((await call('GET', '/users/@me')).status).toBe(200);
    const { status, headers, body } = await call('GET', '/users/@me');
    expect([status, body.global, headers.get('x-ratelimit-global')]).toEqual([429, true, 'true']);
    const { id, token } = discord.interact(ANN, { type: 2, data: { name: 'start' } });
    expect((await call('POST', `/interactions/${id}/${token}/callback`, { type: 5 })).status).toBe(204);
    clock.now += 1_000;
    expect((await call('GET', '/users/@me')).status).toBe(200);
  });

  test('an interaction is acknowledged once, within 3 seconds', async () => {
    const { discord, clock, call } = await open();
    const acknowledge = async (given: { id: string; token: string }) => {
      const { status, body } = await call('POST', `/interactions/${given.id}/${given.token}/callback`, {
        type: 5,
      });
      return [status, body?.code];
    };
    const [first, late] = [
      discord.interact(ANN, { type: 2, data: {} }),
      discord.interact(ANN, { type: 2, data: {} }),
    ];
    clock.now += 3_000;
    expect(await acknowledge(first)).toEqual([204, undefined]);
    expect(await acknowledge(first)).toEqual([400, 40_060]);
    clock.now += 1;
    expect(await acknowledge(late)).toEqual([404, 10_062]);
  });

  test('the token of an interaction is valid for 15 minutes', async () => {
    const { discord, clock, call } = await open();
    const { id, token } = discord.interact(ANN, { type: 2, data: {} });
    await call('POST', `/interactions/${id}/${token}/callback`, { type: 5 });
    const edit = () => call('PATCH', `/webhooks/${BOT_ID}/${token}/messages/@original`, { content: 'x' });
    clock.now += 15 * 60_000;
    expect((await edit()).status).toBe(200);
    clock.now += 1;
    const { status, body } = await edit();
    expect([status, body.code]).toEqual([401, 50_027]);
  });

  const button = { type: 2, style: 2, label: 'a', custom_id: 'a' };
  const row = (...components: object[]) => ({ content: 'x', components: [{ type: 1, components }] });
  const embed = (fields: object) => ({ embeds: [fields], content: 'x' });
  test.each([
    ['2,001 characters', { content: 'x'.repeat(2_001) }],
    ['no content', { content: ' ' }],
    ['a nonce of 26 characters', { content: 'x', nonce: 'n'.repeat(26), enforce_nonce: true }],
    ['6 rows', { content: 'x', components: Array.from({ length: 6 }, () => row(button).components[0]) }],
    [
      '6 buttons in a row',
      row(...Array.from({ length: 6 }, (_, at) => ({ ...button, custom_id: `a${at}` }))),
    ],
    ['two components with one id', row(button, button)],
    ['a custom id of 101 characters', row({ ...button, custom_id: 'x'.repeat(101) })],
    ['a label of 81 characters', row({ ...button, label: 'x'.repeat(81) })],
    ['11 embeds', { content: 'x', embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }],
    ['an embed’s title of 257 characters', embed({ title: 'x'.repeat(257) })],
    ['an embed’s description of 4,097 characters', embed({ description: 'x'.repeat(4_097) })],
    ['26 fields', embed({ fields: Array.from({ length: 26 }, () => ({ name: 'a', value: 'b' })) })],
    ['a field of 1,025 characters', embed({ fields: [{ name: 'a', value: 'x'.repeat(1_025) }] })],
    [
      '6,001 characters in embeds',
      embed({ description: 'x'.repeat(4_000), footer: { text: 'x'.repeat(2_001) } }),
    ],
  ])('a message with %s is refused', async (_, message) => {
    const { send } = await open();
    const { status, body } = await send(message);
    expect([status, body.code]).toEqual([400, 50_035]);
  });

  test.each([
    ['capitals', { name: 'Start', description: 'x' }],
    ['33 characters', { name: 'x'.repeat(33), description: 'x' }],
    ['a description of 101 characters', { name: 'start', description: 'x'.repeat(101) }],
  ])('a command with %s is refused', async (_, command) => {
    const { call } = await open();
    const { status, body } = await call('PUT', `/applications/${BOT_ID}/commands`, [command]);
    expect([status, body.code]).toEqual([400, 50_035]);
  });

  test('a message with the nonce of another is that other message', async () => {
    const { discord, send } = await open();
    const message = { content: 'x', nonce: 'n'.repeat(25), enforce_nonce: true };
    const [first, second] = [await send(message), await send(message)];
    expect(second.body.id).toBe(first.body.id);
    expect(discord.messages.size).toBe(1);
    expect((await send({ ...message, enforce_nonce: false })).body.id).not.toBe(first.body.id);
  });

  test('a message that is gone is unknown', async () => {
    const { call } = await open();
    for (const method of ['PATCH', 'DELETE']) {
      const { status, body } = await call(method, `${ROUTE}/900000000000000066`, { content: 'x' });
      expect([status, body.code]).toEqual([404, 10_008]);
    }
  });
});
