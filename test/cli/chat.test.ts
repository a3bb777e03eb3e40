import { describe, expect, test } from 'vitest';
import { command } from '../../src/cli/chat.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { tipoffFixture } from '../support/run-tipoff.ts';

describe('tipoff chat', () => {
  test('gives a key of the database that DATABASE_URL names, as plain text when the output is no terminal', async () => {
    const { url, tipoffReading } = await tipoffFixture({ PUBLIC_URL: 'https://api.example.com' });
    const { out, err, code } = await tipoffReading('/key\n1\n', 'chat', '--as', 'ann');
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
    await expect((async () => command.run(['--as', 'a:b']))()).rejects.toThrow('--as: ');
  });
});
