import { expect, test } from 'vitest';
import type { Channel } from '../../../src/core/chat/chat-message.ts';
import { recordingGuard } from '../../support/chat/chat-engine-fixture.ts';
import { eventually, type RigFault } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { KEY } from '../../support/chat/scripted-conversation.ts';

const FILE = {
  id: '1',
  filename: 'a.txt',
  size: 1,
  url: 'https://x.example/a',
  proxy_url: 'https://x.example/a',
};
const FORWARDED = { type: 0, content: KEY, embeds: [], attachments: [], mentions: [], flags: 0 };
const pollOf = (question: string, answer: string) => ({
  ...{ question: { text: question }, expiry: null, allow_multiselect: false, layout_type: 1 },
  answers: [{ answer_id: 1, poll_media: { text: answer } }],
});

/** Where a message may hold a key beside its text (core.telegram.org/bots/api#message, and Discord's resources/message). */
const FIELDS: Readonly<Record<Channel, Readonly<Record<string, object>>>> = {
  telegram: {
    'a caption': { caption: KEY },
    'the address of a link': { entities: [{ type: 'text_link', url: `https://x.example/?k=${KEY}` }] },
    'the question of a poll': { poll: { id: '1', question: KEY, options: [] } },
    'an option of a poll': {
      poll: { id: '1', question: 'which?', options: [{ text: KEY, voter_count: 0 }] },
    },
    'the name of a file': { document: { file_id: 'a', file_unique_id: 'b', file_name: `${KEY}.txt` } },
    'the quote of a reply': { quote: { text: KEY, position: 0 } },
    'a contact': { contact: { phone_number: '1', first_name: KEY } },
    'a checklist': { checklist: { title: 'keys', tasks: [{ id: 1, text: KEY }] } },
  },
  discord: {
    'the question of a poll': { poll: pollOf(KEY, 'yes') },
    'an answer of a poll': { poll: pollOf('which?', KEY) },
    'the name of a file': { attachments: [{ ...FILE, filename: `${KEY}.txt` }] },
    'the description of a file': { attachments: [{ ...FILE, description: KEY }] },
    'an embed': { embeds: [{ type: 'rich', fields: [{ name: 'key', value: KEY }] }] },
    'a forwarded message': {
      message_reference: { type: 1, channel_id: '1', message_id: '2' },
      message_snapshots: [{ message: FORWARDED }],
    },
  },
};

onEachBot('keys pasted where others read them', (open, platform) => {
  const place = platform === 'telegram' ? 'the Telegram channel' : 'the Discord server';
  const openWatched = async () => {
    const leakGuard = recordingGuard();
    return { ...(await open({ leakGuard })), seen: leakGuard.seen };
  };

  test.each([false, true])('a message with a key is deleted, others stay (edited: %s)', async (isEdit) => {
    const { publish, seen } = await openWatched();
    const isHarmlessThere = publish('nice market', { isEdit });
    const isLeakThere = publish(`my key ${KEY}`, { isEdit });
    await eventually(() => seen.toSorted()).toEqual([`${place}: deleted`, `${place}: nice market`]);
    expect([isHarmlessThere(), isLeakThere()]).toEqual([true, false]);
  });

  test.each(Object.entries(FIELDS[platform]))('a key in %s is found', async (_, fields) => {
    const { publish, seen } = await openWatched();
    publish('look', { fields });
    await eventually(() => seen).toEqual([`${place}: deleted`]);
  });

  test.each<[RigFault, string]>([
    ['deleted', 'deleted'],
    ['refused', 'still there'],
    ['no right', 'still there'],
  ])('when it is refused (%s) the message counts as %s, and the log names no key', async (fault, end) => {
    const { publish, fail, seen, log } = await openWatched();
    fail('remove', fault);
    publish(KEY);
    await eventually(() => seen).toEqual([`${place}: ${end}`]);
    if (end === 'still there') expect(log.join()).toContain('delete the message');
    expect(log.join()).not.toContain('sk_live_k');
  });

  test('a key written to the bot alone is not a leak', async () => {
    const { person, conversation, seen } = await openWatched();
    person('ann').send(KEY);
    await eventually(() => conversation.moves).toHaveLength(1);
    expect(seen).toEqual([]);
  });
});
