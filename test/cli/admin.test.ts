import { describe, expect, onTestFinished, test } from 'vitest';
import { consoleCommands } from '../../bots/admin/commands/table.ts';
import { adminCommand } from '../../src/cli/admin.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { tipoffFixture } from '../support/run-tipoff.ts';

async function openFixture() {
  const { create, tipoff, url } = await tipoffFixture();
  await create();
  return { url, admin: (...args: string[]) => tipoff('admin', ...args) };
}

describe('tipoff admin', () => {
  test('provision shows a key once; revoke asks, and does it with --yes; all of it is in the audit log', async () => {
    const { url, admin } = await openFixture();

    const provisioned = await admin('provision', 'Keys for trading', 'rpm=1200');
    expect(provisioned).toMatchObject({ code: 0, err: '' });
    const [secret = ''] = /sk_live_[\w-]{43}/.exec(provisioned.out) ?? [];
    expect(provisioned.out.split(secret)).toHaveLength(2);
    expect(provisioned.out).not.toContain('\u001b');

    const asked = await admin('revoke', secret);
    expect(asked).toMatchObject({ code: 1, err: 'Confirmation needs a terminal; without one, add --yes.\n' });
    expect(asked.out).toContain('Nothing was done: revoke is cancelled.');
    const revoked = await admin('revoke', secret, '--yes');
    expect(revoked.code).toBe(0);
    expect(revoked.out).toMatch(/The key “Keys for trading” \(key_.{16}\) is revoked\./);

    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    const [key] = await database.keys.list();
    expect(key).toMatchObject({
      name: 'Keys for trading',
      limits: { requestsPerMinute: 1_200, maxSockets: null },
    });
    expect(key?.revokedAt).not.toBeNull();
    const entries = await database.audit.list({ limit: 20 });
    expect(entries.map(({ command, outcome }) => `${command} ${outcome.split(':')[0]}`).toReversed()).toEqual(
      [
        'provision begins',
        'provision done',
        'revoke asked to confirm',
        'revoke cancelled',
        'revoke asked to confirm',
        'revoke begins',
        'revoke done',
      ],
    );
    expect(new Set(entries.map(({ actor }) => actor.split(':')[0]))).toEqual(new Set(['terminal']));
    expect(JSON.stringify(entries)).not.toContain(secret.slice(0, 19));
  });

  test('a refusal exits with 1, and wrong arguments with 2 and the usage', async () => {
    const { admin } = await openFixture();
    const [refused, wrong] = await Promise.all([admin('resume', 'posts'), admin('tier', 'key_a', 'gold')]);
    expect(refused).toMatchObject({
      code: 1,
      out: expect.stringContaining('posts is not paused'),
    });
    expect(wrong).toMatchObject({ code: 2, out: expect.stringContaining('Usage: tier KEY TIER [DAYS]') });
  });

  test('the help names every command of the table; no command and an unknown one are usage errors', async () => {
    for (const { usage, description } of consoleCommands()) {
      expect(adminCommand.help).toContain(`  ${usage}`);
      expect(adminCommand.help).toContain(description);
    }
    await expect(adminCommand.run([])).rejects.toThrow('Name a command.');
    await expect(adminCommand.run(['toString'])).rejects.toThrow(
      'toString: no such command. Commands: stats',
    );
  });
});
