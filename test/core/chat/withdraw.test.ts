import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { postEdit } from '../../../src/core/chat/thread-post.ts';
import { messagesShowing } from '../../../src/core/chat/withdraw.ts';
import { openChatEngineFixture } from '../../support/chat/chat-engine-fixture.ts';
import { postOf } from '../../support/chat/messages.ts';
import { ofThread, openThread } from '../../support/chat/open-thread.ts';
import { type MessengerCall, refusal, UNKNOWN } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';
import { end, ids } from './chat-store-fixture.ts';

const POST = 'alert:1@telegram';
const RESULT = 'result:1:2@telegram';

/** A post with its result in an answer, because it could not be edited. `refuses`: calls that the platform refuses. */
async function openAnswered(refuses: (call: MessengerCall) => boolean = () => false) {
  const fixture = await openThread({
    answer: (call) => (call.how === 'edit' || refuses(call) ? refusal('refused') : undefined),
  });
  await fixture.resolve(1);
  await fixture.pass(5_000);
  const removed = () => fixture.calls.flatMap(({ how, where }) => (how === 'remove' ? [where] : []));
  return { ...fixture, take: () => fixture.withdraw(1), removed };
}

test('what could not be removed is named with the reason, and a repetition removes it', async () => {
  let isRefused = true;
  const { take, removed, stateOf } = await openAnswered(
    ({ how, where }) => how === 'remove' && where === 'm3' && isRefused,
  );

  expect(await take()).toMatchObject([
    { id: POST, result: 'withdrawn' },
    { id: RESULT, result: 'failed', detail: 'no' },
  ]);
  expect(await stateOf(RESULT)).toBe('sent');
  isRefused = false;

  expect(await take()).toMatchObject([
    { id: POST, result: 'not_there' },
    { id: RESULT, result: 'withdrawn' },
  ]);
  expect(removed()).toEqual(['m1', 'm3', 'm3']);
});

test('a post that may be there is named as such, and its thread ends', async () => {
  const fixture = await openThread({ answer: () => UNKNOWN });

  expect(await fixture.withdraw(1)).toEqual([{ id: POST, result: 'unknown', detail: null }]);
  await fixture.publish(ofThread(2));
  await fixture.pass(10_000);

  expect(fixture.calls).toHaveLength(1);
  expect(await fixture.store.unknown(0, 10)).toEqual([]);
});

test('the post that was made because an earlier one of the thread may not be there is removed with it', async () => {
  const answers = [UNKNOWN];
  const fixture = await openThread({ answer: () => answers.shift() });
  await fixture.pass(10_000);
  await fixture.publish(ofThread(2));
  await fixture.pass(10_000);

  expect(await fixture.withdraw(1)).toMatchObject([
    { id: POST, result: 'unknown' },
    { id: 'alert:2@telegram', result: 'withdrawn' },
  ]);
});

test('what answers another post of the thread stays', async () => {
  const { store } = await openChatEngineFixture();
  const second = postOf(2, { threadId: 1 });
  const answer = postEdit(postOf(1) as ChatMessage, { cause: 'exit', number: 1 }, START);
  const own = postEdit(second as ChatMessage, { cause: 'exit', number: 1 }, START);
  const sent = [postOf(1), second, answer, own].filter((message) => message !== null);
  await store.add(sent);
  for (const { id } of sent) await end(store, id, { state: 'sent', place: id, at: START });

  expect(ids(await messagesShowing(store, 2))).toEqual([second.id, own?.id]);
});
