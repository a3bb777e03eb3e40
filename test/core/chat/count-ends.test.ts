import { expect, test } from 'vitest';
import { withMessageMetrics } from '../../../src/core/chat/chat-store.ts';
import { fakeCustomers, handleOn, openChatEngineFixture } from '../../support/chat/chat-engine-fixture.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { first, later, scriptedMessenger } from '../../support/chat/scripted-messenger.ts';

test('each message is counted once, when it ends, by how it ended', async () => {
  const fixture = await openChatEngineFixture();
  const ends: string[] = [];
  const store = withMessageMetrics(fixture.store, { chatMessageEnded: (state) => void ends.push(state) });
  const { messenger } = scriptedMessenger(first(later(1_000)));
  const customers = fakeCustomers({ cus_a: [handleOn('telegram', 'ann')] });
  await store.add([noteFor('customer:cus_a'), noteFor('customer:cus_x'), postOf(1), postOf(2)]);
  fixture.engine({ telegram: messenger }, { customers, store, postsPerDay: 1 });

  await fixture.pass(60_000);

  expect(ends.toSorted()).toEqual(['dropped', 'folded', 'sent', 'sent']);
});
