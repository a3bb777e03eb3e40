import { describe, expect, test } from 'vitest';
import { actorOf, openConsoleFixture, STRANGER } from './console-fixture.ts';

describe('the operator’s help', () => {
  test('help shows each command as the operator types it: after a slash on Telegram, after /admin on Discord', async () => {
    const discord = actorOf({ platform: 'discord', userId: '5', roleIds: ['789'] });
    const { ask } = await openConsoleFixture();
    expect(await ask('help')).toContain('/find TEXT');
    expect(await ask('help', discord)).toContain('/admin find TEXT');
    expect(await ask('help', actorOf({ platform: 'terminal' }))).toContain('\nfind TEXT');
    expect(await ask('find', discord)).toContain('Usage: /admin find TEXT');
  });

  test('/admin alone, and no command at all on Discord, is the operator’s help; /admin COMMAND is that command', async () => {
    const { type } = await openConsoleFixture();
    const help = await type('help');
    for (const line of ['admin', 'admin help', 'admin /help', 'ADMIN', ''])
      expect(await type(line), line).toEqual(help);
    for (const line of ['admin', '', 'admin find @ann']) expect(await type(line, STRANGER), line).toBeNull();
    expect(await type('admin find @ann')).toEqual(await type('find @ann'));
    expect(await type('admin nonsense')).toBeNull();
  });
});
