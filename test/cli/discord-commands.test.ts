import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { GUILD } from '../support/chat/discord-wire.ts';
import { runTipoff } from '../support/run-tipoff.ts';

let standIn: DiscordStandIn;
beforeEach(async () => {
  standIn = await createDiscordStandIn();
});
afterEach(() => standIn.close());

function run(settings: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DISCORD_API_ROOT: standIn.api, ...settings };
  return runTipoff(['discord-commands'], env);
}

const names = (commands: unknown[]) => (commands as { name: string }[]).map(({ name }) => name);

describe('tipoff discord-commands', () => {
  test('registers the conversation’s commands, and the operator’s in the server alone', async () => {
    const settings = { DISCORD_TOKEN: TOKEN, DISCORD_GUILD_ID: GUILD, ADMIN_IDS: 'discord-role:123' };
    const { code, out, err } = await run(settings);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Registered \d+ commands in the server \d+ and in private chats\.\n$/);
    expect(names(standIn.commands.guild)).toEqual(expect.arrayContaining(['start', 'key', 'admin']));
    expect(names(standIn.commands.global)).not.toContain('admin');
  });

  test('says what is wrong in a sentence, without the token', async () => {
    const [noToken, wrong] = await Promise.all([run({}), run({ DISCORD_TOKEN: 'MTA.some-other-token' })]);
    expect(noToken).toEqual({
      code: 2,
      out: '',
      err: 'DISCORD_TOKEN: set it to the token of the Discord bot\n',
    });
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toMatch(/^DISCORD_TOKEN: Discord rejects it/);
    expect(wrong.err).not.toContain('some-other-token');
  });
});
