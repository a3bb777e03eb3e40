import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/infra/database/database.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';

async function openFixture() {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-chat-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'data', 'tipoff.db')}`;
  const chat = async (input: string, ...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: url, PUBLIC_URL: 'https://api.example.com' };
    const child = spawn(process.execPath, ['src/cli/chat.ts', ...args], { env });
    child.stdin.end(input);
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { out, err, code };
  };
  return { url, chat };
}

describe('npm run chat', () => {
  test('gives a key of the database that DATABASE_URL names, as plain text when the output is no terminal', async () => {
    const { url, chat } = await openFixture();
    const { out, err, code } = await chat('/key\n1\n', '--as', 'ann');
    expect([code, err]).toEqual([0, `New database: ${url.slice('sqlite:'.length)}\n`]);
    expect(out).not.toContain('\u001b');
    const [secret = ''] = /^sk_live_[\w-]{43}$/m.exec(out) ?? [];
    expect(out).toContain(`curl -H 'Authorization: Bearer ${secret}' 'https://api.example.com/api/v1/`);

    const database = await openDatabase(url);
    const [key] = await database.keys.list();
    await database.close();
    expect(key).toMatchObject({ tier: 'pro', name: 'Key 1', handover: { isShown: true } });
    expect(await argon2Hasher.verify(key?.hash ?? '', secret)).toBe(true);
  });

  test('says who one may be', async () => {
    const { chat } = await openFixture();
    expect(await chat('', '--as', 'a:b')).toMatchObject({ code: 2, err: expect.stringContaining('--as: ') });
  });
});
