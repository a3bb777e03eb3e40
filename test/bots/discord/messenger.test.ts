import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiscordMessenger } from '../../../bots/discord/discord-messenger.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { plainScreen } from '../../../bots/shared/screen.ts';
import { createDiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { CHANNEL, type DiscordStandIn, dmOf, type Fault } from '../../support/chat/discord-wire.ts';

const ANN = '900000000000000100';
const POST = /^POST \/channels\/\d+\/messages$/;
const { signal } = new AbortController();
const alert = plainScreen('alert', ['A trade of $5,000.'], [[{ label: 'Market', url: 'https://a.example' }]]);
const result = plainScreen('alert', ['Won.'], []);

let standIn: DiscordStandIn;
beforeEach(async () => {
  standIn = await createDiscordStandIn();
});
afterEach(() => standIn.close());

function open(channelId: string | null = CHANNEL, token = TOKEN) {
  const rest = createDiscordRest({ token, apiRoot: standIn.api, timeoutMs: 200 });
  return new DiscordMessenger({ rest, channelId });
}

async function sent(messenger = open()): Promise<string> {
  const answer = await messenger.send('channel', alert, signal);
  if (!answer.ok) throw new Error(answer.detail);
  return answer.place;
}

describe('messages on Discord', () => {
  test('a post is sent, edited, answered and removed by its place', async () => {
    const messenger = open();
    const place = await sent(messenger);
    const id = place.split(':')[1] ?? '';
    expect(standIn.messages.get(id)).toMatchObject({ channelId: CHANNEL, content: 'A trade of $5,000.' });
    expect(await messenger.edit(place, result, signal)).toEqual({ ok: true, place });
    expect(standIn.messages.get(id)).toMatchObject({ content: 'Won.', components: [] });
    expect(await messenger.reply(place, result, signal)).toMatchObject({ ok: true });
    expect([...standIn.messages.values()].at(-1)).toMatchObject({ repliesTo: id });
    expect(await messenger.remove(place, signal)).toEqual({ ok: true, place });
    expect(standIn.messages.has(id)).toBe(false);
  });

  test('after its token was refused and is taken again, it sends again', async () => {
    const messenger = open();
    standIn.fault(POST, { status: 401 });
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: false, reason: 'later' });
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: true });
  });

  test('a private message goes to the person’s own channel, which is asked for once', async () => {
    const messenger = open();
    await messenger.send({ chat: ANN }, alert, signal);
    await messenger.send({ chat: ANN }, result, signal);
    expect([...standIn.messages.values()].map(({ channelId }) => channelId)).toEqual([dmOf(ANN), dmOf(ANN)]);
    expect(standIn.calls.filter(({ path }) => path === '/users/@me/channels')).toHaveLength(1);
  });

  test('a post pings no user', async () => {
    const messenger = open();
    await messenger.send('channel', plainScreen('alert', ['@everyone <@123>'], []), signal);
    expect(standIn.calls.at(-1)?.body).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  test('an address in a title gets no preview, in a post, its edit and an answer to it', async () => {
    const messenger = open();
    const place = await sent(messenger);
    await messenger.edit(place, result, signal);
    await messenger.reply(place, result, signal);

    const suppressEmbeds = 4;
    const bodies = standIn.calls.filter(({ path }) => path.includes('/messages')).map(({ body }) => body);
    expect(bodies).toHaveLength(3);
    for (const body of bodies) expect(body).toMatchObject({ flags: suppressEmbeds });
  });

  test('a post whose answer was lost stands there once when it is sent again', async () => {
    standIn.fault(POST, { hang: true, after: true });
    const messenger = open();
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: false, reason: 'unknown' });
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: true });
    expect(standIn.messages.size).toBe(1);
  });

  test('a message is recognised by its id, whatever its text is by then', async () => {
    standIn.fault(POST, { status: 500, after: true });
    const messenger = open();
    const first = await messenger.send('channel', alert, signal, 'alert:1@discord');
    const second = await messenger.send('channel', result, signal, 'alert:1@discord');
    expect([first.ok, second.ok]).toEqual([false, true]);
    expect([...standIn.messages.values()]).toMatchObject([{ content: 'A trade of $5,000.' }]);
    const nonces = standIn.calls.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body);
    expect(nonces).toMatchObject([{ enforce_nonce: true }, { nonce: nonces[0]?.['nonce'] }]);
    expect(String(nonces[0]?.['nonce']).length).toBeLessThanOrEqual(25);
  });

  test('another post to the same channel is another', async () => {
    const messenger = open();
    await messenger.send('channel', alert, signal);
    await messenger.send('channel', result, signal);
    expect(standIn.messages.size).toBe(2);
  });

  const forbidden = (code: number): Fault => ({ status: 403, code });
  test.each<[string, Fault, object]>([
    ['the person blocked the bot', forbidden(50_007), { reason: 'blocked' }],
    ['no server is shared with the person', forbidden(50_278), { reason: 'blocked' }],
    ['there is no such person', { status: 404, code: 10_013 }, { reason: 'blocked' }],
    ['there is no such channel', { status: 404, code: 10_003 }, { reason: 'gone' }],
    ['there is no such message', { status: 404, code: 10_008 }, { reason: 'gone' }],
    ['the bot may not see the channel', forbidden(50_001), { reason: 'later', retryAfterMs: 60_000 }],
    ['there is no right to write', forbidden(50_013), { reason: 'later', retryAfterMs: 60_000 }],
    ['too many posts', { status: 429, retryAfter: 7 }, { reason: 'later', retryAfterMs: 7_050 }],
    ['a fault of Discord’s', { status: 500 }, { reason: 'unknown', retryAfterMs: 5_000 }],
    ['a fault on the way', { status: 502 }, { reason: 'unknown', retryAfterMs: 5_000 }],
    ['no answer in time', { hang: true }, { reason: 'unknown', detail: 'timeout' }],
    ['another refusal', { status: 400, code: 50_006 }, { reason: 'refused' }],
  ])('a post when %s', async (_, fault, expected) => {
    standIn.fault(POST, fault);
    expect(await open().send('channel', alert, signal)).toMatchObject({ ok: false, ...expected });
  });

  test.each([
    { route: /^POST \/channels\//, isChatOnly: true },
    { route: /^POST \/users\/@me\/channels$/, isChatOnly: false },
  ])(
    'the wait of a channel is that of one person, the wait to open one is that of all ($route)',
    async ({ route, isChatOnly }) => {
      standIn.fault(route, { status: 429, retryAfter: 7 });
      expect(await open().send({ chat: ANN }, alert, signal)).toMatchObject({ reason: 'later', isChatOnly });
    },
  );

  test.each<[string, Fault, object]>([
    ['a fault of Discord’s', { status: 500 }, { reason: 'later', retryAfterMs: 5_000 }],
    ['no answer in time', { hang: true }, { reason: 'later' }],
    ['the message is gone', { status: 404, code: 10_008 }, { reason: 'gone' }],
  ])('an edit, which may be repeated, when %s', async (_, fault, expected) => {
    const messenger = open();
    const place = await sent(messenger);
    standIn.fault(/^(PATCH|DELETE)/, fault, 2);
    expect(await messenger.edit(place, result, signal)).toMatchObject({ ok: false, ...expected });
    expect(await messenger.remove(place, signal)).toMatchObject({ ok: false, ...expected });
  });

  test.each<[string, Fault, object]>([
    ['was deleted', { status: 404, code: 10_008 }, { reason: 'gone' }],
    ['was deleted with its channel', { status: 404, code: 10_003 }, { reason: 'gone' }],
    ['the bot may not see', forbidden(50_001), { reason: 'later', retryAfterMs: 60_000 }],
  ])(
    'an edit or an answer of a message that %s: only what is deleted is gone',
    async (_, fault, expected) => {
      const messenger = open();
      const place = await sent(messenger);
      standIn.fault(/^(PATCH|POST)/, fault, 2);
      expect(await messenger.edit(place, result, signal)).toMatchObject({ ok: false, ...expected });
      expect(await messenger.reply(place, result, signal)).toMatchObject({ ok: false, ...expected });
    },
  );

  test('without the right to edit a post is answered; without the right to post the answer waits', async () => {
    const messenger = open();
    const place = await sent(messenger);
    standIn.fault(/^(PATCH|POST|DELETE)/, forbidden(50_013), 3);
    expect(await messenger.edit(place, result, signal)).toMatchObject({ reason: 'refused' });
    expect(await messenger.reply(place, result, signal)).toMatchObject({ reason: 'later' });
    expect(await messenger.remove(place, signal)).toMatchObject({ reason: 'refused' });
  });

  test('a form that Discord does not take is sent as plain words', async () => {
    const local = plainScreen(
      'docs',
      [[{ bold: 'Read' }]],
      [[{ label: 'Docs', url: 'http://localhost:1/d' }]],
    );
    expect(await open().send('channel', local, signal)).toMatchObject({ ok: true });
    expect([...standIn.messages.values()]).toMatchObject([
      { content: 'Read\n\n\nDocs: <http://localhost:1/d>', components: [] },
    ]);
  });

  test('without a connection nothing was sent: later', async () => {
    const messenger = open();
    await standIn.close();
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: false, reason: 'later' });
    standIn = await createDiscordStandIn();
  });

  test('a refused token waits, and is in no detail', async () => {
    const answer = await open(CHANNEL, 'MTA.wrong-token').send('channel', alert, signal);
    expect(answer).toMatchObject({ ok: false, reason: 'later', retryAfterMs: 60_000 });
    expect(JSON.stringify(answer)).not.toContain('wrong-token');
  });

  test('without a channel, and with a place of elsewhere, there is nothing to do', async () => {
    expect(await open(null).send('channel', alert, signal)).toMatchObject({ reason: 'gone' });
    expect(await open().edit('telegram place', alert, signal)).toMatchObject({ reason: 'gone' });
    expect(standIn.calls).toEqual([]);
  });

  test('an abort ends a post', async () => {
    standIn.fault(POST, { hang: true });
    const abort = new AbortController();
    const answer = open().send('channel', alert, abort.signal);
    abort.abort();
    expect(await answer).toMatchObject({ ok: false, reason: 'unknown' });
  });
});
