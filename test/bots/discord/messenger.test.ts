import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiscordMessenger } from '../../../bots/discord/discord-messenger.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { plainScreen, type Screen } from '../../../bots/shared/screen.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { CHANNEL, dmOf, type Fault } from '../../support/chat/discord-wire.ts';
import { ATTEMPT_MS } from '../../support/chat/driver.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';

const ANN = '900000000000000100';
const POST = /^POST \/channels\/\d+\/messages$/;
const { signal } = new AbortController();
const alert = plainScreen('alert', ['A trade of $5,000.'], [[{ label: 'Market', url: 'https://a.example' }]]);
const result = plainScreen('alert', ['Won.'], []);
const SUPPRESS_EMBEDS = 4;

let standIn: DiscordStandIn;
beforeEach(async () => {
  standIn = await createDiscordStandIn();
});
afterEach(() => standIn.close());

interface Opened {
  readonly channelId?: string | null;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

function open({ channelId = CHANNEL, clock = createFakeClock(START), ...limits }: Opened = {}) {
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api, ...limits });
  return new DiscordMessenger({ rest, channelId, clock });
}

const bodies = () => standIn.calls.filter(({ path }) => path.includes('/messages')).map(({ body }) => body);
const newest = () => [...standIn.messages.values()].at(-1);

describe('messages on Discord', () => {
  test('ten to people in ten seconds are sent at once, the next one waits, and those after it go back', async () => {
    const clock = createFakeClock(START);
    const messenger = open({ clock });
    const toAnn = () => messenger.send({ chat: ANN }, alert, signal);
    const first = await Promise.all(Array.from({ length: 5 }, toAnn));
    await clock.advance(6_000);
    for (const { ok } of [...first, ...(await Promise.all(Array.from({ length: 5 }, toAnn)))])
      expect(ok).toBe(true);

    const eleventh = toAnn();
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: true });
    await clock.asleep();
    await clock.advance(3_999);
    expect(bodies()).toHaveLength(11);
    await clock.advance(1);
    expect(await eleventh).toMatchObject({ ok: true });
    await Promise.all(Array.from({ length: 4 }, toAnn));
    expect(await toAnn()).toMatchObject({ ok: false, reason: 'later', retryAfterMs: 6_000 });
  });

  test('a private message goes to the person’s own channel, which is asked for once', async () => {
    const messenger = open();
    await messenger.send({ chat: ANN }, alert, signal);
    await messenger.send({ chat: ANN }, result, signal);
    expect([...standIn.messages.values()].map(({ channelId }) => channelId)).toEqual([dmOf(ANN), dmOf(ANN)]);
    expect(standIn.calls.filter(({ path }) => path === '/users/@me/channels')).toHaveLength(1);
  });

  test('a post pings no user and no address gets a preview, in a post, its edit and an answer to it', async () => {
    const messenger = open();
    const sent = await messenger.send('channel', plainScreen('alert', ['@everyone <@123>'], []), signal);
    const place = sent.ok ? sent.place : '';
    await messenger.edit(place, result, signal);
    await messenger.reply(place, result, signal);
    expect(bodies()).toHaveLength(3);
    for (const body of bodies())
      expect(body).toMatchObject({ flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } });
  });

  test('a message is recognised by its id, whatever its text is by then, and else by its content', async () => {
    const messenger = open();
    for (const nonce of ['alert:1@discord', undefined]) {
      standIn.messages.clear();
      standIn.fault(POST, { status: 500, after: true });
      const second = nonce === undefined ? alert : result;
      const ends = [
        await messenger.send('channel', alert, signal, nonce),
        await messenger.send('channel', second, signal, nonce),
      ];
      expect(ends.map(({ ok }) => ok)).toEqual([false, true]);
      expect([...standIn.messages.values()]).toMatchObject([{ content: 'A trade of $5,000.' }]);
    }
    await messenger.send('channel', result, signal);
    expect(standIn.messages.size).toBe(2);
    expect(bodies()[0]).toMatchObject({ enforce_nonce: true, nonce: expect.stringMatching(/^.{25}$/) });
  });

  test.each<[Fault, object]>([
    [{ status: 403, code: 50_278 }, { reason: 'blocked' }],
    [{ status: 404, code: 10_013 }, { reason: 'blocked' }],
    [{ status: 404, code: 10_003 }, { reason: 'gone' }],
    [{ status: 403, code: 50_001 }, { reason: 'gone' }],
    [{ hang: true }, { reason: 'unknown', detail: 'timeout' }],
  ])('a message to a person after %o', async (fault, expected) => {
    standIn.fault(POST, fault);
    const messenger = open('hang' in fault ? { timeoutMs: ATTEMPT_MS } : {});
    expect(await messenger.send({ chat: ANN }, alert, signal)).toMatchObject({ ok: false, ...expected });
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

  test('an edit or an answer of a message whose channel was deleted: it is gone', async () => {
    const messenger = open();
    standIn.fault(/^(PATCH|POST)/, { status: 404, code: 10_003 }, 2);
    expect(await messenger.edit('1:2', result, signal)).toMatchObject({ reason: 'gone' });
    expect(await messenger.reply('1:2', result, signal)).toMatchObject({ reason: 'gone' });
  });

  test('without a connection nothing was sent, so it is tried later', async () => {
    const messenger = open();
    await standIn.close();
    expect(await messenger.send('channel', alert, signal)).toMatchObject({ ok: false, reason: 'later' });
    standIn = await createDiscordStandIn();
  });

  test('without a channel there is nothing to do', async () => {
    expect(await open({ channelId: null }).send('channel', alert, signal)).toMatchObject({ reason: 'gone' });
    expect(standIn.calls).toEqual([]);
  });
});

describe('a picture on Discord', () => {
  const withPicture = (text: string, picture = 'https://tipoff.example.com/alerts/1.png'): Screen => ({
    ...plainScreen('alert', [text], []),
    preview: { page: 'https://tipoff.example.com/alerts/1', picture },
  });

  test('leaves other addresses of the post without a preview', async () => {
    await open().send('channel', withPicture('See https://evil.example/x @everyone'), signal);
    expect(newest()).toMatchObject({ content: expect.stringContaining('<https://evil.example/x>') });
    expect(bodies()[0]).toMatchObject({ allowed_mentions: { parse: [] }, flags: 0 });
  });

  test.each(['discord.gg/scam', 'join DISCORD.com/invite/scam', 'discordapp . com/invite/x'])(
    'is not beside what Discord would make an invitation of: %s',
    async (text) => {
      await open().send('channel', withPicture(text), signal);
      expect(newest()).toMatchObject({ pictures: [] });
      expect(bodies()[0]).toMatchObject({ flags: SUPPRESS_EMBEDS });
    },
  );

  test('is left out when Discord refuses its address', async () => {
    const sent = await open().send('channel', withPicture('A trade', 'ftp://a.example/1.png'), signal);
    expect(sent).toMatchObject({ ok: true });
    expect(newest()).toMatchObject({ content: expect.stringContaining('A trade'), pictures: [] });
  });
});
