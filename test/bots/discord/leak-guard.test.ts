import { afterEach, describe, expect, test, vi } from 'vitest';
import { type DiscordRig, openDiscordRig, untilState } from '../../support/chat/discord-driver.ts';
import { createScriptedConversation, SECRET } from '../../support/chat/scripted-conversation.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

const ann = { id: '900000000000000100', name: 'ann' };

let rig: DiscordRig;
afterEach(() => rig.close());

async function open() {
  const inspected: [string, string][] = [];
  const log = createRecordingLogger();
  const leakGuard = {
    async inspect(text: string, place: string) {
      inspected.push([text, place]);
      return text.includes('sk_live_');
    },
  };
  const conversation = createScriptedConversation();
  rig = await openDiscordRig(() => conversation, { leakGuard, logger: log });
  await rig.bot.start();
  await untilState(rig.bot, 'running');
  return { inspected, log, desk: conversation };
}

describe('keys pasted in the Discord server', () => {
  test.each([
    ['a message', 'MESSAGE_CREATE'],
    ['an edited message', 'MESSAGE_UPDATE'],
  ])('%s with a key is deleted, others stay', async (_, event) => {
    const { inspected } = await open();
    const harmless = rig.standIn.write(ann, 'nice market', 'guild', event);
    const leak = rig.standIn.write(ann, `my key ${SECRET}`, 'guild', event);
    await vi.waitFor(() => expect(rig.standIn.messages.has(leak)).toBe(false));
    expect(rig.standIn.messages.has(harmless)).toBe(true);
    expect(inspected).toEqual([
      ['nice market', 'the Discord server'],
      [`my key ${SECRET}`, 'the Discord server'],
    ]);
  });

  test('a message that cannot be deleted is reported to the operator, without the key', async () => {
    const { log } = await open();
    rig.standIn.fault(/^DELETE/, { status: 403, code: 50_013 });
    rig.standIn.write(ann, SECRET);
    const error = () => log.lines.find(({ level }) => level === 'error')?.message;
    await vi.waitFor(() => expect(error()).toContain('Manage Messages'));
    expect(JSON.stringify(log.lines)).not.toContain(SECRET);
  });

  test('what is written to the bot alone is no leak', async () => {
    const { inspected, desk: conversation } = await open();
    rig.standIn.write(ann, SECRET, 'dm');
    await vi.waitFor(() => expect(conversation.moves).toHaveLength(1));
    expect(inspected).toEqual([]);
  });
});
