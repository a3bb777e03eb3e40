import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keysCommand } from '../../src/cli/keys.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { tipoffFixture } from '../support/run-tipoff.ts';

async function openFixture() {
  const { create, tipoff, ...fixture } = await tipoffFixture();
  await create();
  return { ...fixture, keys: (...args: string[]) => tipoff('keys', ...args) };
}

describe('tipoff keys', () => {
  test('issue --json prints one object; list has it', async () => {
    const { url, keys } = await openFixture();
    const issued = await keys('issue', '--tier', 'pro', '--name', 'My bot', '--json');
    expect([issued.code, issued.err]).toEqual([0, '']);
    const key = JSON.parse(issued.out);
    expect(Object.keys(key)).toEqual(['id', 'key', 'tier', 'name', 'trial_ends_at']);
    expect(key).toMatchObject({ tier: 'pro', name: 'My bot' });
    expect(key.key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
    const days = (Date.parse(key.trial_ends_at) - Date.now()) / 86_400_000;
    expect(Math.abs(days - 30)).toBeLessThan(0.01);

    const database = await openDatabase(url);
    const row = await database.keys.byId(key.id);
    await database.close();
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,(t=2,p=1|p=1,t=2)\$/);
    expect(await argon2Hasher.verify(row?.hash ?? '', key.key)).toBe(true);
    expect(await argon2Hasher.verify(row?.hash ?? '', `${key.key.slice(0, -1)}_`)).toBe(false);

    const listed = await keys('list', '--json');
    expect(JSON.parse(listed.out)).toEqual([
      {
        id: key.id,
        name: 'My bot',
        tier: 'pro',
        issued_tier: 'pro',
        created_at: expect.any(String),
        trial_ends_at: key.trial_ends_at,
        revoked_at: null,
      },
    ]);
  });

  test('issue shows the key once with a curl line, in plain text when the output is no terminal; list never shows it', async () => {
    const { keys } = await openFixture();
    const issued = await keys('issue', '--tier', 'pro', '--name', 'My bot', '--days', '7');
    const [secret] = /sk_live_[\w-]{43}/.exec(issued.out) ?? [''];
    expect(issued.out).toContain(`curl -H 'Authorization: Bearer ${secret}' 'http://`);
    expect(issued.out).not.toContain('\u001b');
    const listed = await keys('list');
    expect(listed.out).toMatch(
      /^ID +TIER +CREATED +STATE +NAME\nkey_\S+ +pro +\S+ +trial until \S+ +My bot\n$/,
    );
    expect(listed.out).not.toContain('sk_live_');
  });

  test.each([
    [['issue', '--tier', 'gold', '--name', 'x'], '--tier: expected free, pro or enterprise, got "gold"'],
    [['issue', '--name', 'x'], '--tier: expected free, pro or enterprise'],
    [['issue', '--tier', 'pro'], '--name: '],
    [['issue', '--tier', 'pro', '--name', 'x', '--days', 'soon'], '--days: expected a whole number'],
    [['issue', '--tier', 'pro', '--name', 'x', '--days', '0'], '--days: expected a whole number'],
    [['toString'], 'no such command. Commands: issue, list.'],
    [[], 'Name a command.'],
  ])('%j is a usage error that says what is wrong', async (args, message) => {
    await expect(keysCommand.run(args)).rejects.toThrow(expect.objectContaining({ name: 'UserError' }));
    await expect(keysCommand.run(args)).rejects.toThrow(message);
  });

  test.each([
    [['--tier', 'pro', '--name', ''], '--name: expected 1 to 100'],
    [['--tier', 'free', '--name', 'x', '--days', '3'], '--days: only a pro key'],
  ])('issue %j is refused by the service with exit code 2', async (args, message) => {
    const { keys } = await openFixture();
    const refused = await keys('issue', ...args);
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  test('an outage of the database is one line, with exit code 1', async () => {
    const { folder, keys } = await openFixture();
    const other = new DatabaseSync(join(folder, 'data', 'tipoff.db'));
    onTestFinished(() => other.close());
    other.exec('BEGIN EXCLUSIVE');

    const { code, out, err } = await keys('issue', '--tier', 'free', '--name', 'x');

    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^DATABASE_URL: .*tipoff\.db is locked by another process\. .*\n$/);
  });
});
