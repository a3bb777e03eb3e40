import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask } from '../support/api-server.ts';
import { startEmulatedTelegram } from '../support/chat/emulated-telegram.ts';
import { startService } from '../support/service-process.ts';

const TOKEN = '123456789:AAE-abcdefghijklmnopqrstuvwxyz01234';

/**
 * The emulator was written by others, so that no mistake of the own simulator is in both. No community is configured. It
 * answers a poll without waiting, does not know setMyCommands, and numbers a tap like the message that answers it, so that
 * deleteMessage removes the tap: whether a message with a key is deleted is tested with the own simulator.
 */
test('start, key, rename, new secret and revoke work with an emulator of Telegram that others wrote', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-'));
  const ann = await startEmulatedTelegram(TOKEN, 7);
  const service = startService({
    DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}`,
    ROLES: 'api,bots',
    TELEGRAM_BOT_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: ann.url,
  });
  onTestFinished(async () => {
    await service.end('SIGTERM');
    await ann.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { address } = await service.logged('listening');
  const me = async (secret: string) => {
    const { status, body } = await ask(`${address}/api/v1/me`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return { status, ...(body as object) };
  };
  /** A key's row is read again within 5 seconds. */
  const becomes = (secret: string, answer: object) =>
    vi.waitFor(async () => expect(await me(secret)).toMatchObject(answer), {
      timeout: 10_000,
      interval: 100,
    });

  await ann.writes('/start', 'Tipoff watches prediction markets');
  await ann.taps('Get a key', 'Which key do you want?');
  const first = keyIn(await ann.taps('Pro key, 30 days free', 'sk_live_'));
  expect(await me(first)).toMatchObject({ status: 200, tier: 'pro', name: 'Key 1' });
  await ann.taps('Done, hide it', 'Hidden. Your key works now.');

  await ann.taps('My keys', 'Pro, 30 days left');
  await ann.taps('Key 1', 'Rename');
  await ann.taps('Rename', 'What should');
  await ann.writes('Trader <1>', 'It is called');
  await becomes(first, { name: 'Trader <1>' });

  await ann.taps('My keys', 'Trader <1>');
  await ann.taps('Trader <1>', 'Rename');
  await ann.taps('New secret', 'Its tier, trial and settings stay.');
  const second = keyIn(await ann.taps('Old one ends now', 'The new secret of'));
  expect(await me(second)).toMatchObject({ status: 200, tier: 'pro', name: 'Trader <1>' });
  await becomes(first, { status: 401 });
  await ann.taps('Done, hide it', 'Hidden. Your key works now.');

  await ann.writes('/keys', 'Trader <1>');
  await ann.taps('Trader <1>', 'Rename');
  await ann.taps('Revoke', 'Your trial ends with it');
  await ann.taps('Yes, revoke it', 'is revoked.');
  await becomes(second, { status: 401 });
});

function keyIn({ text }: { readonly text: string }): string {
  const [key] = /sk_live_[\w-]{43}/.exec(text) ?? [];
  if (key === undefined) throw new Error('no key was sent');
  return key;
}
