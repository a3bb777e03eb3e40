import { expect, test } from 'vitest';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import { actionOf, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { START } from '../../support/rows.ts';
import { FREE, getKey } from './key-tap.ts';

const DONE = 'Done, hide it';

/** A person who got a key, and the process died before it recorded that the message was delivered. */
async function openUnrecorded() {
  const visit = await openConversationVisit();
  const { conversation, visitor } = visit;
  const action = actionOf(await visit.command('key'), FREE);
  const screen = await conversation.move(visitor, { kind: 'tap', action });
  return { ...visit, screen, action };
}

const hashOf = ({ secret }: Screen) => `plain:${secret?.text}`;

test('a key hidden with “Done” has arrived: the next request leaves it, although its delivery was not recorded', async () => {
  const { fixture, screen, ...visit } = await openUnrecorded();

  expect((await visit.act(actionOf(screen, DONE))).name).toBe('key_hidden');
  await getKey(visit);

  expect((await fixture.keys()).map(({ hash }) => hash)).toHaveLength(2);
  expect((await fixture.keys()).map(({ hash }) => hash)).toContain(hashOf(screen));
});

test('a new secret hidden with “Done” has arrived, too', async () => {
  const { fixture, conversation, visitor, ...visit } = await openConversationVisit();
  const { keyId } = await getKey(visit);
  const rotation = actionOf(await visit.act(`rotate:${keyId}`), 'End the old key now');
  const screen = await conversation.move(visitor, { kind: 'tap', action: rotation });

  await visit.act(actionOf(screen, DONE));

  expect((await visit.act(rotation)).name).toBe('already_shown');
  expect(await fixture.keys()).toMatchObject([{ hash: hashOf(screen), handover: { isShown: true } }]);
});

test('“Done” under a key that was replaced since says that it does not work', async () => {
  const { screen, action, ...visit } = await openUnrecorded();
  // The second answer to the same tap replaces the key of the first.
  await visit.act(action);

  const hidden = await visit.act(actionOf(screen, DONE));

  expect(plainText(hidden)).not.toContain('Your key works now');
  expect(hidden.name).toBe('dead_key_hidden');
});

test('“Done” under a key whose tap gave another one since does not count as proof of that other one', async () => {
  const { fixture, screen, action, conversation, visitor, ...visit } = await openUnrecorded();
  await conversation.move(visitor, { kind: 'tap', action });

  await visit.act(actionOf(screen, DONE));

  expect(await fixture.keys()).toMatchObject([{ handover: { isShown: false } }]);
});

test('“Done” of another person confirms nothing', async () => {
  const { fixture, screen, other } = await openUnrecorded();

  await other('200').act(actionOf(screen, DONE));

  expect(await fixture.database.keys.byId(screen.secret?.keyId ?? '')).toMatchObject({
    handover: { isShown: false },
  });
});

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
