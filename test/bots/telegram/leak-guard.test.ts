import { describe, expect, test } from 'vitest';
import type { LeakGuard } from '../../../bots/shared/create-leak-guard.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { publicText } from '../../support/chat/telegram-person.ts';
import { CHANNEL, eventually, KEY, startTelegramFixture } from './telegram-fixture.ts';

const COMMUNITY = { id: CHANNEL, type: 'channel' } as const;
const COMMENTS = { id: -1007777, type: 'supergroup' } as const;
const GROUP = { id: -500, type: 'supergroup' } as const;

/** Records what it is given, and deletes what contains a key. */
function guard(): LeakGuard & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    async inspect({ text, place, remove }) {
      const isLeak = text.includes('sk_live_');
      seen.push(isLeak ? `${place}: ${(await remove()) ? 'deleted' : 'still there'}` : `${place}: ${text}`);
      return isLeak;
    },
  };
}

async function open() {
  const leakGuard = guard();
  return { ...(await startTelegramFixture({ leakGuard })), seen: leakGuard.seen };
}

describe('keys pasted where others read them on Telegram', () => {
  test.each(['message', 'edited_message', 'channel_post', 'edited_channel_post'] as const)(
    'a key in the channel (%s) is deleted',
    async (kind) => {
      const { telegram, seen } = await open();
      const { id, update } = publicText(COMMUNITY, `look ${KEY}`, kind);
      telegram.push(update);
      await eventually(() => seen).toEqual(['the Telegram channel: deleted']);
      expect(telegram.calls.at(-1)?.payload).toEqual({ chat_id: CHANNEL, message_id: id });
    },
  );

  test('where the channel is a group, the owner reads that it was posted in the group', async () => {
    const { telegram, seen } = await open();
    telegram.push(publicText({ id: CHANNEL, type: 'supergroup' }, KEY).update);
    await eventually(() => seen).toEqual(['the Telegram group: deleted']);
  });

  // Fields of Message (core.telegram.org/bots/api#message).
  test.each([
    ['a caption', { caption: KEY }],
    [
      'the address of a link',
      { text: 'x', entities: [{ type: 'text_link', url: `https://x.example/?k=${KEY}` }] },
    ],
    ['the question of a poll', { poll: { id: '1', question: KEY, options: [] } }],
    [
      'an option of a poll',
      { poll: { id: '1', question: 'which?', options: [{ text: KEY, voter_count: 0 }] } },
    ],
    ['the name of a file', { document: { file_id: 'a', file_unique_id: 'b', file_name: `${KEY}.txt` } }],
    ['the title of a song', { audio: { file_id: 'a', file_unique_id: 'b', duration: 1, title: KEY } }],
    ['the quote of a reply', { text: 'this one', quote: { text: KEY, position: 0 } }],
    ['a contact', { contact: { phone_number: '1', first_name: KEY } }],
    ['a venue', { venue: { location: {}, title: 'here', address: KEY } }],
    ['a checklist', { checklist: { title: 'keys', tasks: [{ id: 1, text: KEY }] } }],
  ])('a key in %s is found', async (_, fields) => {
    const { telegram, seen } = await open();
    telegram.push({ message: { message_id: 1, date: 1, chat: COMMUNITY, ...fields } });
    await eventually(() => seen).toEqual(['the Telegram channel: deleted']);
  });

  test('a reply to a message with a key stays: the answered message is inspected itself', async () => {
    const { telegram, seen } = await open();
    const answered = { message_id: 1, date: 1, chat: COMMUNITY, text: KEY };
    telegram.push({
      message: { message_id: 2, date: 1, chat: COMMUNITY, text: 'oh', reply_to_message: answered },
    });
    await eventually(() => seen).toEqual(['the Telegram channel: oh']);
  });

  test('comments of the channel are watched: its discussion group is asked for when a text there has a key', async () => {
    const { telegram, seen, clock } = await open();
    telegram.chat = { linked_chat_id: COMMENTS.id };
    telegram.push(publicText(COMMENTS, 'nice').update);
    telegram.push(publicText(GROUP, KEY).update);
    await telegram.answered('getChat');
    telegram.push(publicText(COMMENTS, KEY).update);
    await eventually(() => seen).toEqual(['the comments of the Telegram channel: deleted']);
    expect(telegram.calls.filter(({ method }) => method === 'getChat')).toHaveLength(1);

    telegram.chat = { linked_chat_id: GROUP.id };
    await clock.advance(10 * MINUTE_MS);
    telegram.push(publicText(GROUP, KEY).update);
    await eventually(() => seen).toHaveLength(2);
  });

  test('a channel whose discussion group is unavailable is still watched', async () => {
    const { telegram, seen, log } = await open();
    telegram.failAlways('getChat', { code: 400, description: 'Bad Request: chat not found' });
    telegram.push(publicText(COMMENTS, KEY).update);
    await eventually(() => log.join()).toContain('discussion group of the Telegram channel unavailable');
    telegram.push(publicText(COMMUNITY, KEY).update);
    await eventually(() => seen).toEqual(['the Telegram channel: deleted']);
  });

  test('a message that another person deleted first counts as deleted', async () => {
    const { telegram, seen } = await open();
    telegram.fail('deleteMessage', { code: 400, description: 'Bad Request: message to delete not found' });
    telegram.push(publicText(COMMUNITY, KEY).update);
    await eventually(() => seen).toEqual(['the Telegram channel: deleted']);
  });

  test('a key that may not be deleted is logged with what to do, without the key', async () => {
    const { telegram, log, seen } = await open();
    telegram.fail('deleteMessage', { code: 400, description: "Bad Request: message can't be deleted" });
    telegram.push(publicText(COMMUNITY, KEY).update);
    await eventually(() => seen).toEqual(['the Telegram channel: still there']);
    expect(log.join()).toContain('the bot needs the right to delete messages there');
    expect(log.join()).not.toContain('sk_live_k');
  });
});
