import { expect, test, vi } from 'vitest';
import { openDiscordRig } from '../../support/chat/discord-driver.ts';
import { BOT_ID } from '../../support/chat/discord-wire.ts';
import { createScriptedConversation } from '../../support/chat/scripted-conversation.ts';

test('the page of the bot, to which posts lead, is known once the gateway has named it', async () => {
  const rig = await openDiscordRig(() => createScriptedConversation());
  try {
    expect(rig.bot.profileUrl()).toBeNull();
    await rig.bot.start();
    await vi.waitFor(() => expect(rig.bot.profileUrl()).toBe(`https://discord.com/users/${BOT_ID}`));
  } finally {
    await rig.close();
  }
});
