import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask } from '../support/api-server.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { privateTap } from '../support/chat/telegram-person.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { startService } from '../support/service-process.ts';

const PERSON = 7;
const PRO = 'Pro key, 30 days free';

/** Killed in mid-flow, no key is lost or issued twice. */
test('killed while the message with a key is in flight: the same tap gives one Pro key, and the lost one is dead', async () => {
  const telegram = await startTelegram();
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-'));
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}`,
    ROLES: 'api,bots',
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
  };
  const first = startService(settings);
  onTestFinished(async () => {
    first.child.kill('SIGKILL');
    await telegram.close();
    await rm(folder, { recursive: true, force: true });
  });
  const person = createPolledPerson(telegram, PERSON);
  await person.command('/key');
  telegram.failAlways('editMessageText', 'hang');
  const offer = telegram.messages(PERSON).at(-1);
  const data = offer?.buttons.find(({ text }) => text === PRO)?.callback_data;
  if (offer === undefined || data === undefined) throw new Error('no key was offered');
  telegram.push(privateTap({ id: PERSON, username: `person${PERSON}` }, offer, data));
  const lost = await vi.waitFor(() => sentKey(telegram.calls.map(({ payload }) => String(payload['text']))), {
    timeout: 10_000,
  });
  await first.end('SIGKILL');
  telegram.failAlways('editMessageText', null);

  const second = startService(settings);
  onTestFinished(async () => {
    await second.end('SIGTERM');
  });
  const { address } = await second.logged('listening');
  const key = sentKey([(await person.tap(PRO)).text]);
  const me = (secret: string) =>
    ask(`${address}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } });

  expect((await me(key)).body).toMatchObject({ tier: 'pro', name: 'Key 1' });
  expect((await me(lost)).status).toBe(401);
  await person.tap('Done, hide it');
  await person.command('/keys');
  // The repeated tap has an answer of its own, at the pace of the chat.
  const lists = () => telegram.messages(PERSON).filter(({ buttons }) => buttons[0]?.text === 'Key 1');
  await vi.waitFor(() => expect(lists()).toHaveLength(1), { timeout: 10_000 });
  expect(lists()[0]?.buttons.map(({ text }) => text)).toEqual(['Key 1', 'Get another key', 'Menu']);
});

function sentKey(texts: readonly string[]): string {
  const key = texts.map((text) => /sk_live_[\w-]{43}/.exec(text)?.[0]).find((found) => found !== undefined);
  if (key === undefined) throw new Error('no key was sent');
  return key;
}
