import { expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { actionOf, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { START } from '../../support/rows.ts';
import { FREE, getKey } from './key-tap.ts';

async function eraseWith(messages: number) {
  const visit = await openConversationVisit();
  await getKey(visit, FREE);
  const { keyMessages } = visit.fixture.database;
  for (let message = 1; message <= messages; message += 1)
    await keyMessages.add({
      ...{ bot: 'telegram', messageRef: `${visit.visitor.chat}:${message}`, request: 'r' },
      ...{ createdAt: START, dueAt: START, attempts: 0 },
    });
  const screen = await visit.act(actionOf(await visit.command('delete'), 'Yes, delete everything'));
  return { text: plainText(screen), left: await keyMessages.next('telegram', 10) };
}

test('who deletes their data reads that it is gone, and nothing else', async () => {
  const { text } = await eraseWith(0);
  expect(text).toBe('Deleted.\n\nYour keys no longer work, and your data is gone.');
});

test('who deletes their data reads which messages with a key their platform did not remove; they are not stored any more', async () => {
  const { text, left } = await eraseWith(2);
  expect(text).toContain('2 messages with a key could not be removed: delete what you find');
  expect(left).toEqual([]);
});
