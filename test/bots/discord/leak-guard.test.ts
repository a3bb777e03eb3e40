import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PublicMessage } from '../../../bots/shared/create-leak-guard.ts';
import { type DiscordRig, openDiscordRig, untilState } from '../../support/chat/discord-driver.ts';
import { createScriptedConversation, SECRET } from '../../support/chat/scripted-conversation.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

const ann = { id: '900000000000000100', name: 'ann' };

const FILE = {
  id: '1',
  filename: 'a.txt',
  size: 1,
  url: 'https://x.example/a',
  proxy_url: 'https://x.example/a',
};
const FORWARDED = { type: 0, content: '', embeds: [], attachments: [], mentions: [], flags: 0 };
const pollOf = (question: string, answer: string) => ({
  question: { text: question },
  answers: [{ answer_id: 1, poll_media: { text: answer } }],
  expiry: null,
  allow_multiselect: false,
  layout_type: 1,
});

let rig: DiscordRig;
afterEach(() => rig.close());

async function open() {
  const inspected: [string, string][] = [];
  const log = createRecordingLogger();
  const leakGuard = {
    async inspect({ text, place, remove }: PublicMessage) {
      const isLeak = text.includes('sk_live_');
      inspected.push([text, isLeak && !(await remove()) ? `still in ${place}` : place]);
      return isLeak;
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
    await vi.waitFor(() =>
      expect(inspected).toEqual([
        ['nice market', 'the Discord server'],
        [`my key ${SECRET}`, 'the Discord server'],
      ]),
    );
  });

  test.each([
    ['a poll’s question', { poll: pollOf(SECRET, 'yes') }],
    ['a poll’s answer', { poll: pollOf('which?', SECRET) }],
    ['the name of a file', { attachments: [{ ...FILE, filename: `${SECRET}.txt` }] }],
    ['the description of a file', { attachments: [{ ...FILE, description: SECRET }] }],
    ['an embed', { embeds: [{ type: 'rich', fields: [{ name: 'key', value: SECRET }] }] }],
    [
      'a forwarded message',
      {
        message_reference: { type: 1, channel_id: '1', message_id: '2' },
        message_snapshots: [{ message: { ...FORWARDED, content: SECRET } }],
      },
    ],
  ])('a key in %s is found, and the message deleted', async (_, fields) => {
    await open();
    const leak = rig.standIn.write(ann, '', 'guild', 'MESSAGE_CREATE', fields);
    await vi.waitFor(() => expect(rig.standIn.messages.has(leak)).toBe(false));
  });

  test('a message that is gone already counts as deleted', async () => {
    const { inspected } = await open();
    rig.standIn.fault(/^DELETE/, { status: 404, code: 10_008 });
    rig.standIn.write(ann, SECRET);
    await vi.waitFor(() => expect(inspected).toEqual([[SECRET, 'the Discord server']]));
  });

  test('a message that cannot be deleted is reported to the operator, without the key', async () => {
    const { inspected, log } = await open();
    rig.standIn.fault(/^DELETE/, { status: 403, code: 50_013 });
    rig.standIn.write(ann, SECRET);
    const error = () => log.lines.find(({ level }) => level === 'error')?.message;
    await vi.waitFor(() => expect(error()).toContain('Manage Messages'));
    expect(JSON.stringify(log.lines)).not.toContain(SECRET);
    expect(inspected).toEqual([[SECRET, 'still in the Discord server']]);
  });

  test('what is written to the bot alone is no leak', async () => {
    const { inspected, desk: conversation } = await open();
    rig.standIn.write(ann, SECRET, 'dm');
    await vi.waitFor(() => expect(conversation.moves).toHaveLength(1));
    expect(inspected).toEqual([]);
  });
});
