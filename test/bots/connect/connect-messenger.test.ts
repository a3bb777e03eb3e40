import { describe, expect, test } from 'vitest';
import type { DestinationAnswer } from '../../../src/core/follow/destination.ts';
import { answered, DISCORD, GATHER_MS, message, NTFY, openConnect, SLACK } from './connect-fixture.ts';

const NEVER = new AbortController().signal;

test.each([200, 201, 202, 204])('status %i is delivered', async (status) => {
  const { sendOne } = openConnect(SLACK, answered(status));
  expect(await sendOne()).toEqual({ ok: true, place: `ann:${SLACK.createdAt}:` });
});

test.each([
  [answered(429, { retryAfterMs: 7_000 }), { reason: 'later', retryAfterMs: 7_000 }],
  [answered(503, { retryAfterMs: 7_000 }), { reason: 'later', retryAfterMs: 7_000 }],
  [answered(503), { reason: 'later', retryAfterMs: 0 }],
  [answered(500), { reason: 'unknown' }],
  [answered(504), { reason: 'unknown' }],
  [answered(400), { reason: 'refused' }],
  [answered(302), { reason: 'refused' }],
  [{ error: 'timeout', isSent: true }, { reason: 'unknown' }],
  [{ error: 'reset', isSent: true }, { reason: 'unknown' }],
  [{ error: 'timeout', isSent: false }, { reason: 'later' }],
  [{ error: 'dns', isSent: false }, { reason: 'later' }],
  [{ error: 'not_public', isSent: false }, { reason: 'refused' }],
] as const satisfies readonly (readonly [DestinationAnswer, object])[])(
  'an answer %j: %j',
  async (answer, result) => {
    const { sendOne, ended } = openConnect(SLACK, answer);
    expect(await sendOne()).toMatchObject({ ok: false, ...result });
    expect(ended).toEqual([]);
  },
);

test.each([401, 403, 404, 410])('status %i ends the address', async (status) => {
  const { sendOne, ended } = openConnect(NTFY, answered(status));
  expect(await sendOne()).toMatchObject({ ok: false, reason: 'blocked' });
  expect(ended).toEqual([{ customerId: 'ann', destination: NTFY, status }]);
});

test('messages of a person that are due together go as one request, in their order, and end alike', async () => {
  const { send, clock, requests } = openConnect(SLACK, answered(200), answered(500));
  const first = send(['one', 'two', 'three']);
  await clock.advance(GATHER_MS);
  expect(await Promise.all(first)).toEqual(first.map(() => ({ ok: true, place: `ann:${SLACK.createdAt}:` })));
  const second = [...send(['four', 'five']), ...send(['to bob'], 'bob')];
  await clock.advance(GATHER_MS + 2_000);
  expect((await Promise.all(second)).map(({ ok }) => ok)).toEqual([false, false, true]);
  expect(requests.map(({ body }) => JSON.parse(body).text)).toEqual([
    'one\n\ntwo\n\nthree',
    'four\n\nfive',
    'to bob',
  ]);
});

test('what does not fit one message goes as the next', async () => {
  const { send, clock, requests } = openConnect(DISCORD);
  const sent = send(['a'.repeat(1_500), 'b'.repeat(1_500)]);
  await clock.advance(GATHER_MS);
  expect((await Promise.all(sent)).every(({ ok }) => ok)).toBe(true);
  expect(requests).toHaveLength(2);
});

describe('the pace', () => {
  test('of Slack is one request a second for a webhook, whoever sends: what comes meanwhile goes as one', async () => {
    const { send, clock, requests } = openConnect(SLACK);
    const sent = send(['one']);
    await clock.advance(GATHER_MS);
    sent.push(...send(['two']));
    await clock.advance(500);
    sent.push(...send(['three']));
    expect(requests).toHaveLength(1);
    await clock.advance(500);
    expect((await Promise.all(sent)).every(({ ok }) => ok)).toBe(true);
    expect(requests.map(({ body }) => JSON.parse(body).text)).toEqual(['one', 'two\n\nthree']);
    const both = [...send(['four']), ...send(['five'], 'bob')];
    await clock.advance(1_000);
    expect(requests).toHaveLength(3);
    await clock.advance(1_000);
    expect((await Promise.all(both)).every(({ ok }) => ok)).toBe(true);
  });

  test('of Discord is 30 requests per minute: the next waits in the outbox, and messages to others do not', async () => {
    const { sendOne, clock, requests } = openConnect(DISCORD);
    for (let sent = 0; sent < 30; sent += 1) {
      expect(await sendOne()).toMatchObject({ ok: true });
      await clock.advance(300);
    }
    expect(await sendOne()).toMatchObject({ reason: 'later', retryAfterMs: 48_000, isChatOnly: true });
    expect(requests).toHaveLength(30);
    await clock.advance(48_000);
    expect(await sendOne()).toMatchObject({ ok: true });
  });

  test('of an ntfy server is shared by all topics without a user of their own', async () => {
    const { sendOne, become, requests } = openConnect(NTFY);
    for (let sent = 0; sent < 60; sent += 1) await sendOne();
    become(async () => ({ ...NTFY, url: 'https://ntfy.sh/other' }));
    expect(await sendOne('hello', 'bob')).toMatchObject({ reason: 'later' });
    become(async () => ({ ...NTFY, url: 'https://ntfy.sh/other?auth=QmVhcmVyIHg' }));
    expect(await sendOne('hello', 'bob')).toMatchObject({ ok: true });
    expect(requests).toHaveLength(61);
  });

  test('rests as long as the service asks', async () => {
    const { sendOne, clock, requests } = openConnect(SLACK, answered(429, { retryAfterMs: 30_000 }));
    await sendOne();
    expect(await sendOne()).toMatchObject({ reason: 'later', retryAfterMs: 29_900 });
    expect(requests).toHaveLength(1);
    await clock.advance(30_000);
    expect(await sendOne()).toMatchObject({ ok: true });
  });
});

test('a message of Discord is sent with a confirmation, into the thread of its address, and can be changed', async () => {
  const { sendOne, messenger, requests } = openConnect(DISCORD, answered(200, { text: '{"id":"77","x":1}' }));
  const sent = await sendOne();
  expect(sent).toEqual({ ok: true, place: `ann:${DISCORD.createdAt}:77` });
  expect(await messenger.edit(`ann:${DISCORD.createdAt}:77`, message('✅ hello'))).toMatchObject({
    ok: true,
  });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST https://discord.com/api/webhooks/12/secret-token?thread_id=5&wait=true',
    'PATCH https://discord.com/api/webhooks/12/secret-token/messages/77?thread_id=5',
  ]);
});

test('a message of Slack, one that went with others, and one to a former address cannot be changed', async () => {
  const { messenger, become, requests } = openConnect(DISCORD, answered(404));
  const edit = (place: string) => messenger.edit(place, message('✅'));
  expect(await edit(`ann:${DISCORD.createdAt}:`)).toMatchObject({ reason: 'gone' });
  expect(await edit(`ann:${DISCORD.createdAt - 1}:77`)).toMatchObject({ reason: 'gone' });
  expect(requests).toHaveLength(0);
  expect(await edit(`ann:${DISCORD.createdAt}:77`)).toMatchObject({ reason: 'gone' });
  become(async () => null);
  expect(await edit(`ann:${DISCORD.createdAt}:77`)).toMatchObject({ reason: 'gone' });
});

test('a deleted message does not end the address', async () => {
  const { messenger, ended } = openConnect(DISCORD, answered(404));
  await messenger.edit(`ann:${DISCORD.createdAt}:77`, message('✅'));
  expect(ended).toEqual([]);
});

test('a reply is a message of its own', async () => {
  const { messenger, clock, requests } = openConnect(NTFY);
  const sent = messenger.reply(`ann:${NTFY.createdAt}:`, message('Sold.'), NEVER);
  await clock.advance(GATHER_MS);
  expect(await sent).toMatchObject({ ok: true });
  expect(requests).toMatchObject([
    { url: 'https://ntfy.sh/', body: expect.stringContaining('"topic":"secret-topic"') },
  ]);
});

test('without an address nothing is sent, and when the stores fail it is retried', async () => {
  const { sendOne, become, requests } = openConnect(null);
  expect(await sendOne()).toMatchObject({ ok: false, reason: 'blocked' });
  become(() => Promise.reject(new Error('the store did not answer')));
  expect(await sendOne()).toMatchObject({ ok: false, reason: 'later' });
  expect(requests).toEqual([]);
});

test('neither results nor log entries hold the address', async () => {
  const answers = [answered(400), answered(404), answered(500), { error: 'tls', isSent: false } as const];
  const { sendOne, become, clock, logged } = openConnect(SLACK, ...answers);
  const results = [];
  for (const _ of answers) {
    results.push(await sendOne());
    await clock.advance(1_000);
  }
  become(() => Promise.reject(new Error('the store did not answer')));
  results.push(await sendOne());
  expect(JSON.stringify([results, logged])).not.toContain('secret');
});
