import { describe, expect, test } from 'vitest';
import type { Screen } from '../../../bots/shared/screen.ts';
import { eventually, FLOOD_SECONDS, type RigFault } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { page } from '../../support/chat/scripted-conversation.ts';

const { signal } = new AbortController();
const LATER = { ok: false, reason: 'later' };
const REVOKED = { ...LATER, retryAfterMs: 60_000 };
const UNKNOWN = { ok: false, reason: 'unknown', retryAfterMs: 5_000 };
const GONE = { ok: false, reason: 'gone' };
const REFUSED = { ok: false, reason: 'refused' };

onEachBot('the messenger', (open) => {
  async function openMessenger() {
    const { bot, clock, ...rig } = await open({ isStarted: false });
    const { messenger } = bot;
    const chat = rig.person('ann').id;
    async function post(view: Screen = page('one')): Promise<string> {
      const sent = await messenger.send('channel', view, signal);
      if (!sent.ok) throw new Error(sent.detail);
      await clock.advance(1_000);
      return sent.place;
    }
    return { ...rig, messenger, clock, chat, post, send: () => messenger.send({ chat }, page('x'), signal) };
  }

  test('sends, edits, answers and removes a post by its reference', async () => {
    const { messenger, post, inChannel, clock } = await openMessenger();
    const place = await post();
    expect(await messenger.edit(place, page('two', []), signal)).toEqual({ ok: true, place });
    expect(inChannel()).toMatchObject([{ text: 'two', buttons: [], replyTo: null }]);
    await clock.advance(1_000);
    expect(await messenger.reply(place, page('three'), signal)).toMatchObject({ ok: true });
    expect(inChannel()[1]).toMatchObject({ text: 'three', replyTo: place });
    await clock.advance(1_000);
    expect(await messenger.remove(place, signal)).toEqual({ ok: true, place });
    expect(inChannel().map(({ text }) => text)).toEqual(['three']);
  });

  test('sends a silent message and a silent answer without a sound, and no other', async () => {
    const { messenger, post, inChannel, person, chat } = await openMessenger();
    const place = await post({ ...page('silent'), isSilent: true });
    await messenger.reply(place, { ...page('answer'), isSilent: true }, signal);
    await post(page('loud'));
    expect(inChannel().map(({ isSilent }) => isSilent)).toEqual([true, true, false]);
    await messenger.send({ chat }, { ...page('silent'), isSilent: true }, signal);
    expect(person('ann').messages()).toMatchObject([{ isSilent: true }]);
  });

  test('shows an edit that changes nothing, and what people wrote, as it is', async () => {
    const { messenger, post, inChannel } = await openMessenger();
    const text = '<b>5 < 6 & "7"</b> *x* @everyone';
    const place = await post(page(text));
    expect(await messenger.edit(place, page(text), signal)).toEqual({ ok: true, place });
    expect(inChannel()[0]?.text).toBe(text);
  });

  test('writes out an address that the platform does not take in a button', async () => {
    const { post, inChannel } = await openMessenger();
    await post(page('read', [[{ label: 'Docs', url: 'http://localhost:3000/docs' }]]));
    expect(inChannel()[0]).toMatchObject({
      text: expect.stringMatching(/^read\s+Docs: http:\/\/localhost:3000\/docs$/),
      buttons: [],
    });
  });

  test.each<[RigFault, object]>([
    ['blocked', { ok: false, reason: 'blocked' }],
    ['refused', REFUSED],
    ['flood', { ...LATER, isChatOnly: true }],
    ['token refused', REVOKED],
    ['server error', UNKNOWN],
    ['lost', UNKNOWN],
    ['silence', UNKNOWN],
  ])('says what to do with a message to a person after: %s', async (fault, expected) => {
    const { fail, send, calls } = await openMessenger();
    fail('send', fault);
    const result = await send();
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toMatch(/AAE-abc|token-for-tests/);
    expect(calls('send')).toBe(1);
  });

  test('waits as long as the platform says', async () => {
    const { fail, send, clock } = await openMessenger();
    fail('send', 'flood');
    const result = await send();
    const waitMs = 'retryAfterMs' in result ? result.retryAfterMs : 0;
    expect(Math.abs(waitMs - FLOOD_SECONDS * 1_000)).toBeLessThan(100);
    await clock.advance(waitMs);
  });

  test.each<RigFault>(['shut out', 'no right'])(
    'keeps a post while the bot is %s: it may be let in again',
    async (fault) => {
      const { fail, messenger } = await openMessenger();
      fail('send', fault);
      expect(await messenger.send('channel', page('x'), signal)).toMatchObject(REVOKED);
    },
  );

  test.each<[RigFault, { edit: object; reply: object; remove: object }]>([
    ['deleted', { edit: GONE, reply: GONE, remove: GONE }],
    ['shut out', { edit: REVOKED, reply: REVOKED, remove: REVOKED }],
    ['no right', { edit: REFUSED, reply: LATER, remove: REFUSED }],
    ['server error', { edit: LATER, reply: UNKNOWN, remove: LATER }],
    ['lost', { edit: LATER, reply: UNKNOWN, remove: LATER }],
  ])('says what to do with an edit, an answer and a removal after: %s', async (fault, expected) => {
    const { fail, messenger, post, clock } = await openMessenger();
    const place = await post();
    fail('edit', fault);
    expect(await messenger.edit(place, page('two'), signal)).toMatchObject(expected.edit);
    await clock.advance(1_000);
    fail('send', fault);
    expect(await messenger.reply(place, page('three'), signal)).toMatchObject(expected.reply);
    await clock.advance(1_000);
    fail('remove', fault);
    expect(await messenger.remove(place, signal)).toMatchObject(expected.remove);
  });

  test('ends a send that is aborted, and says that it may have arrived', async () => {
    const { fail, messenger, chat, calls } = await openMessenger();
    fail('send', 'silence');
    const abort = new AbortController();
    const sent = messenger.send({ chat }, page('x'), abort.signal);
    await eventually(() => calls('send')).toBe(1);
    abort.abort();
    expect(await sent).toMatchObject({ reason: 'unknown' });
  });

  describe('shows a post with a picture', () => {
    const SITE = 'https://tipoff.example.com/alerts/1';
    const alert = (text: string, version: string | null): Screen => ({
      ...page(text),
      preview:
        version === null ? null : { page: `${SITE}?v=${version}`, picture: `${SITE}.png?v=${version}` },
    });

    test('and its edit with another one, or none', async () => {
      const { messenger, post, inChannel, clock } = await openMessenger();
      const place = await post(alert('A trade: https://evil.example', '1-open'));
      expect(inChannel()[0]?.picture).toContain('1-open');
      await messenger.edit(place, alert('Right', '1-paid-1'), signal);
      expect(inChannel()[0]?.picture).toContain('1-paid-1');
      await clock.advance(1_000);
      await messenger.edit(place, alert('https://evil.example', null), signal);
      expect(inChannel()[0]?.picture).toBeNull();
    });
  });
});
