import { expect, test } from 'vitest';
import { openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { getKey } from './key-tap.ts';

test('/cancel ends the open question: the next line is no answer to it', async () => {
  const visit = await openConversationVisit();
  const { keyId } = await getKey(visit);
  await visit.act(`rename:${keyId}`);
  expect((await visit.command('cancel')).name).toBe('cancelled');
  expect((await visit.type('New name')).name).toBe('unknown');
  expect((await visit.fixture.keys()).map(({ name }) => name)).toEqual(['Key 1']);
});

test('/cancel without an open question says that there is none', async () => {
  const visit = await openConversationVisit();
  expect((await visit.command('cancel')).name).toBe('nothing_to_cancel');
});

test('a photo, a sticker or a voice message gets a line, and leaves the open question open', async () => {
  const visit = await openConversationVisit();
  const { keyId } = await getKey(visit);
  await visit.act(`rename:${keyId}`);
  expect((await visit.conversation.move(visit.visitor, { kind: 'content' })).name).toBe('text_only');
  expect((await visit.type('New name')).name).toBe('renamed');
});
