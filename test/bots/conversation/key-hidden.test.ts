import { expect, test } from 'vitest';
import type { Screen } from '../../../bots/shared/screen.ts';
import { actionOf, openConversationVisit } from '../../support/chat/conversation-visit.ts';
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
