import { describe, expect, test } from 'vitest';
import { type ConversationVisit, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { getKey } from './key-tap.ts';

function restarted({ fixture, visitor }: ConversationVisit) {
  const conversation = fixture.makeConversation('telegram');
  return {
    type: (text: string) => conversation.move(visitor, { kind: 'text', text }),
    act: (action: string) => conversation.move(visitor, { kind: 'tap', action }),
  };
}

describe('a question that a person was asked', () => {
  test.each([
    ['another name', 'Desk', 'renamed'],
    ['quiet hours', '23-7', 'ask_zone'],
  ])('for %s is answered after a restart', async (what, line, screen) => {
    const visit = await openConversationVisit();
    if (what === 'quiet hours') await visit.command('quiet');
    else await visit.act(`rename:${(await getKey(visit)).keyId}`);

    expect((await restarted(visit).type(line)).name).toBe(screen);
  });

  test('stays open when the store failed to take the answer', async () => {
    const visit = await openConversationVisit();
    const { keyId } = await getKey(visit);
    await visit.act(`rename:${keyId}`);
    visit.fixture.faults.breakCall(2, 'before');
    expect((await visit.type('Desk')).name).toBe('sorry');
    visit.fixture.faults.recover();

    expect((await visit.type('Desk')).name).toBe('renamed');
  });
});

test('a photo, a sticker or a voice message gets a line, and leaves the open question open', async () => {
  const visit = await openConversationVisit();
  const { keyId } = await getKey(visit);
  await visit.act(`rename:${keyId}`);
  expect((await visit.conversation.move(visit.visitor, { kind: 'content' })).name).toBe('text_only');
  expect((await visit.type('New name')).name).toBe('renamed');
});
