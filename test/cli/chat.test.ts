import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { terminalChatCommand } from '../../src/cli/chat.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { processOwner } from '../../src/infra/process/process-owner.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { tipoffFixture } from '../support/run-tipoff.ts';

describe('tipoff chat', () => {
  test('gives a key of the database that DATABASE_URL names, as plain text when the output is no terminal', async () => {
    const { url, tipoffReading } = await tipoffFixture({ PUBLIC_URL: 'https://api.example.com' });
    const { out, err, code } = await tipoffReading('/key\n1\n', 'chat', '--as', 'ann');
    expect([code, err]).toEqual([
      0,
      `New database: ${url.slice('sqlite:'.length)}\nNo service is running; lines to paste are for https://api.example.com.\n`,
    ]);
    expect(out).not.toContain('\u001b');
    const [secret = ''] = /^sk_live_[\w-]{43}$/m.exec(out) ?? [];
    expect(out).toContain(`curl -H 'Authorization: Bearer ${secret}' 'https://api.example.com/api/v1/`);

    const database = await openDatabase(url);
    const [key] = await database.keys.list();
    await database.close();
    expect(key).toMatchObject({ tier: 'pro', name: 'Key 1', handover: { isShown: true } });
    expect(await argon2Hasher.verify(key?.hash ?? '', secret)).toBe(true);
  });

  test('--demo is the bot of the demo that was started last, with its address; without one it says how to start one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tipoff-chat-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { tipoffReading } = await tipoffFixture({ TMPDIR: folder });
    const none = await tipoffReading('/id\n', 'chat', '--demo');
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('no demo is running. Start one')]);

    const demos = ['tipoff-demo-a', 'tipoff-demo-b'].map((name) => join(folder, name));
    for (const demo of demos) await mkdir(demo);
    await utimes(demos[0] as string, 1, 1);
    await writeFile(
      join(demos[1] as string, 'access.json'),
      JSON.stringify({ url: 'http://127.0.0.1:7', key: 'k', owner: processOwner() }),
    );
    const { code, out } = await tipoffReading('/help\n', 'chat', '--demo');
    expect([code, out]).toEqual([0, expect.stringContaining('http://127.0.0.1:7/docs')]);
    const databases = await Promise.all(demos.map((demo) => readdir(demo)));
    expect(databases.map((files) => files.includes('tipoff.db'))).toEqual([false, true]);
  });

  test('says who one may be', async () => {
    await expect((async () => terminalChatCommand.run(['--as', 'a:b']))()).rejects.toThrow('--as: ');
  });
});
