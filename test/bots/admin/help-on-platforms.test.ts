import { expect, test, vi } from 'vitest';
import { consoleCommands } from '../../../bots/admin/commands/table.ts';
import { startDiscordFixture } from '../../support/chat/discord-driver.ts';
import { readMarkdown } from '../../support/chat/discord-rules.ts';
import { EPHEMERAL, OPERATOR_ROLE } from '../../support/chat/discord-wire.ts';
import { eventually } from '../../support/chat/driver.ts';
import { startTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { privateText } from '../../support/chat/telegram-person.ts';
import { ADMIN, openConsoleFixture } from './console-fixture.ts';

/** The simulators refuse a message above the limit of their platform: 2,000 characters on Discord, 4,096 on Telegram. */
const linesFor = (prefix: string) =>
  consoleCommands().map(({ usage, description }) => `${prefix}${usage}  ${description}`);

test('on Discord /admin help shows every command with what it does, in as many messages as it takes', async () => {
  const adminIds = [{ platform: 'discord-role', id: OPERATOR_ROLE }] as const;
  const { adminConsole } = await openConsoleFixture(() => ({ adminIds }));
  const rig = await startDiscordFixture({ console: adminConsole });
  const operator = rig.person('op');
  rig.standIn.roles.set(operator.id, [OPERATOR_ROLE]);

  await operator.command('admin', 'help');
  const parts = () => [...rig.standIn.messages.values()];
  await vi.waitFor(() => expect(parts().at(-1)?.components).not.toEqual([]));

  const shown = parts().map(({ content }) => readMarkdown(content));
  expect(shown.join('\n').split('\n')).toEqual(expect.arrayContaining(linesFor('/admin ')));
  expect(parts().map(({ flags }) => flags)).toEqual(parts().map(() => EPHEMERAL));
  // The buttons are below the end.
  expect(
    parts()
      .slice(0, -1)
      .flatMap(({ components }) => components),
  ).toEqual([]);
});

test('on Telegram /admin shows every command with what it does', async () => {
  const { adminConsole } = await openConsoleFixture();
  const { telegram } = await startTelegramFixture({ console: adminConsole });
  const operator = Number(ADMIN.userId);

  telegram.push(privateText({ id: operator, username: 'op' }, '/admin'));
  await eventually(() => telegram.messages(operator).at(-1)?.buttons.length ?? 0).toBeGreaterThan(0);

  const lines = telegram.messages(operator).flatMap(({ text }) => text.split('\n'));
  expect(lines).toEqual(expect.arrayContaining(linesFor('/')));
});
