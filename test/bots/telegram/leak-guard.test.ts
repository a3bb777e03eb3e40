import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { recordingGuard } from '../../support/chat/chat-engine-fixture.ts';
import { eventually } from '../../support/chat/driver.ts';
import { KEY } from '../../support/chat/scripted-conversation.ts';
import { CHANNEL, calls, startTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { publicText } from '../../support/chat/telegram-person.ts';

const COMMUNITY = { id: CHANNEL, type: 'channel' } as const;
const COMMENTS = { id: -1007777, type: 'supergroup' } as const;
const GROUP = { id: -500, type: 'supergroup' } as const;

async function open() {
  const leakGuard = recordingGuard();
  return { ...(await startTelegramFixture({ leakGuard })), seen: leakGuard.seen };
}

describe('keys pasted around the Telegram channel', () => {
  test('where the channel is a group, the owner reads that it was posted in the group', async () => {
    const { telegram, seen } = await open();
    telegram.push(publicText({ id: CHANNEL, type: 'supergroup' }, KEY).update);
    await eventually(() => seen).toEqual(['the Telegram group: deleted']);
  });

  test('a reply to a message with a key stays: the answered message is inspected itself', async () => {
    const { telegram, seen } = await open();
    const fields = { reply_to_message: { message_id: 1, date: 1, chat: COMMUNITY, text: KEY } };
    telegram.push(publicText(COMMUNITY, 'oh', { fields }).update);
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
    expect(calls(telegram, 'getChat')).toHaveLength(1);

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
});
