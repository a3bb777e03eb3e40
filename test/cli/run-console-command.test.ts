import { describe, expect, test } from 'vitest';
import type { Screen } from '../../bots/shared/screen.ts';
import { runConsoleCommand } from '../../src/cli/run-console-command.ts';
import { ANN, actorOf, openConsoleFixture } from '../bots/admin/console-fixture.ts';

async function openFixture(isSure: boolean) {
  const stand = await openConsoleFixture(() => ({ adminIds: [] }));
  const shown: Screen[] = [];
  const give = (name: string, argument = '') =>
    runConsoleCommand(
      {
        adminConsole: stand.adminConsole,
        actor: actorOf({ platform: 'terminal', userId: 'root' }),
        show: (screen) => shown.push(screen),
        confirm: async () => isSure,
      },
      { name, argument },
    );
  return { ...stand, give, names: () => shown.map(({ name }) => name) };
}

describe('a command on the keyboard', () => {
  test('an act needs only access to the database, and is recorded as the terminal’s', async () => {
    const { give, audited } = await openFixture(true);
    expect(await give('pause', 'feed')).toBe('done');
    expect((await audited())[0]).toBe('terminal:root | pause | feed | begins');
  });

  test('what cannot be undone is shown, and done by a yes', async () => {
    const { give, names, deps } = await openFixture(true);
    expect(await give('ban', '@ann')).toBe('done');
    expect(names()).toEqual(['admin_confirm', 'admin_done']);
    expect((await deps.customers.byId(ANN.id))?.bannedAt).not.toBeNull();
  });

  test('without a yes it is cancelled, which counts as not done', async () => {
    const { give, names, deps, audited } = await openFixture(false);
    expect(await give('ban', '@ann')).toBe('refused');
    expect(names()).toEqual(['admin_confirm', 'admin_cancelled']);
    expect((await deps.customers.byId(ANN.id))?.bannedAt).toBeNull();
    expect((await audited()).at(-1)).toBe('terminal:root | ban | cus_ann | cancelled');
  });

  test.each([
    ['stats', '', 'done'],
    ['revoke', 'key_nobody', 'refused'],
    ['revoke', '', 'usage'],
    ['extend', '@ann soon', 'usage'],
    ['start', '', 'usage'],
  ])('%s %s is %s', async (name, argument, result) => {
    const { give } = await openFixture(true);
    expect(await give(name, argument)).toBe(result);
  });
});
