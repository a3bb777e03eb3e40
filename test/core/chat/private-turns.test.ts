import { describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { ChatStore } from '../../../src/core/chat/chat-store.ts';
import { keyOf } from '../../infra/database/api-key.ts';
import {
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  openSending,
  TAKES,
} from '../../support/chat/chat-engine-fixture.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { first, later, refusal, scriptedMessenger, views } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const NOTE = 'note:customer:cus_a';
const toAnn = noteFor('customer:cus_a');
const ann = () => fakeCustomers({ cus_a: handleOn('telegram', 'ann') });
/** Each is on one platform. */
const annAndBob = () =>
  fakeCustomers({ cus_a: handleOn('telegram', 'ann'), cus_b: handleOn('discord', 'bob') });

describe('a message to a person', () => {
  test('goes to their chat; one for a key to its owner', async () => {
    const customers = fakeCustomers({
      cus_a: handleOn('discord', 'ann'),
      cus_b: handleOn('telegram', 'bob'),
    });
    const { calls, onDiscord, ...fixture } = await openSending([toAnn], { discord: TAKES, customers });
    await fixture.database.keys.insert(keyOf({ id: 'key_b', customerId: 'cus_b' }));
    await fixture.store.add([noteFor('key:key_b')]);

    await fixture.pass(1_000);

    expect(calls).toEqual([{ how: 'send', where: 'chat bob', view: 'note:key:key_b' }]);
    expect(onDiscord).toEqual([{ how: 'send', where: 'chat ann', view: NOTE }]);
  });

  test('is dropped when there is nowhere to write to, and when they were banned meanwhile', async () => {
    const people = {
      cus_a: handleOn('terminal', 'ann'),
      cus_b: handleOn('discord', 'bob'),
      cus_banned: handleOn('telegram', 'eve'),
    };
    const ids = ['cus_a', 'cus_b', 'cus_banned', 'cus_x'].map((id) => `customer:${id}` as const);
    const messages = [...ids, 'key:key_a' as const, 'key:key_x' as const].map((to) => noteFor(to));
    const { calls, ...fixture } = await openSending([], { customers: fakeCustomers(people, ['cus_banned']) });
    await fixture.database.keys.insert(keyOf({ id: 'key_a' }));
    await fixture.store.add(messages);

    await fixture.pass(1_000);

    expect(calls).toEqual([]);
    expect(await fixture.store.counts(0)).toMatchObject({ dropped: 6, pending: 0 });
  });

  test('that they want none of has failed, and nothing more is sent to them', async () => {
    const answer = () => refusal('blocked');
    const customers = ann();
    const { calls, ...fixture } = await openSending([toAnn], { answer, customers });
    await fixture.pass(3_000);
    await fixture.store.add([noteFor('customer:cus_a', { id: 'another' })]);

    await fixture.pass(3_000);

    expect(calls).toHaveLength(1);
    expect(await fixture.stateOf(NOTE)).toBe('failed');
    expect(await fixture.stateOf('another')).toBe('dropped');
    expect((await customers.byId('cus_a'))?.isReachable).toBe(false);
  });

  test('is given up after three days', async () => {
    const dueAt = START - 3 * DAY_MS;
    const old = noteFor('customer:cus_a', { dueAt: dueAt - 1 });
    const young = noteFor('customer:cus_a', { dueAt, id: 'another' });
    const { calls, pass } = await openSending([old, young], { customers: ann() });

    await pass(1_000);

    expect(views(calls)).toEqual(['another']);
  });

  test.each([true, false])(
    'waits for the flood wait of another person only when that is the limit of the bot (of the chat only: %s)',
    async (isChatOnly) => {
      const customers = fakeCustomers({
        cus_e: handleOn('telegram', 'eve'),
        cus_f: handleOn('telegram', 'fay'),
      });
      const messages = [noteFor('customer:cus_e', { dueAt: START - 1 }), noteFor('customer:cus_f')];
      const { calls, ...fixture } = await openSending(messages, {
        customers,
        answer: ({ where }) => (where === 'chat eve' ? { ...later(300_000), isChatOnly } : undefined),
      });

      await fixture.pass(2_000);

      expect(calls.map(({ where }) => where)).toEqual(isChatOnly ? ['chat eve', 'chat fay'] : ['chat eve']);
      expect(await fixture.stateOf('note:customer:cus_e')).toBe('pending');
    },
  );

  test('is not held up by a channel that is down, nor by the other platform, with hundreds of messages before it', async () => {
    const waiting = Array.from({ length: 350 }, (_, index) =>
      noteFor('customer:cus_b', { id: `b ${index}` }),
    );
    const last = noteFor('customer:cus_a', { dueAt: START + 1 });
    const { calls, onDiscord, pass } = await openSending([postOf(1), ...waiting, last], {
      answer: ({ where }) => (where === 'channel' ? later(HOUR_MS) : undefined),
      discord: () => later(HOUR_MS),
      customers: annAndBob(),
    });

    await pass(6_000);

    expect(views(calls)).toEqual(['alert:1@telegram', NOTE]);
    expect(onDiscord).toHaveLength(1);
  });

  test('is looked for once a second, not in a loop, behind pages of messages of other queues', async () => {
    const fixture = await openChatEngineFixture();
    let reads = 0;
    vi.spyOn(fixture.store, 'due').mockImplementation(async ({ lane, limit }) => {
      if (lane !== 'private') return [];
      reads += 1;
      return Array.from({ length: limit }, () => postOf(1) as ChatMessage);
    });
    fixture.engine({ telegram: scriptedMessenger().messenger });

    await fixture.pass(3_000);

    expect(reads).toBe(4);
  });

  test('is not held up by one whose turn fails each time', async () => {
    const customers = ann();
    const byId = (id: string) => (id === 'cus_x' ? Promise.reject(new Error('a fault')) : customers.byId(id));
    const failing = noteFor('customer:cus_x', { dueAt: START - 1 });
    const { calls, ...fixture } = await openSending([failing, toAnn], { customers: { ...customers, byId } });

    await fixture.pass(3_000);

    expect(views(calls)).toEqual([NOTE]);
    expect(await fixture.stateOf(failing.id)).toBe('pending');
  });
});

describe('a message to an operator', () => {
  const toOperator = noteFor('operator:telegram:42', { id: 'news' });

  test('goes to them in private on their platform, who need not be a customer', async () => {
    const { calls, onDiscord, ...fixture } = await openSending([toOperator], { discord: TAKES });

    await fixture.pass(1_000);

    expect(calls).toEqual([{ how: 'send', where: '42', view: 'news' }]);
    expect(onDiscord).toEqual([]);
    expect(await fixture.stateOf('news')).toBe('sent');
  });

  test.each(['beside the bot for people', 'alone'])('goes by the bot of their own, %s', async (place) => {
    const fixture = await openChatEngineFixture();
    const people = scriptedMessenger();
    const operator = scriptedMessenger();
    await fixture.store.add([toOperator, toAnn]);
    const messengers = place === 'alone' ? {} : { telegram: people.messenger };
    fixture.engine({ ...messengers, telegram_admin: operator.messenger }, { customers: ann() });

    await fixture.pass(1_000);

    expect(operator.calls).toEqual([{ how: 'send', where: '42', view: 'news' }]);
    expect(views(people.calls)).toEqual(place === 'alone' ? [] : [NOTE]);
  });
});

test('each message is counted once, when it ends, by how it ended', async () => {
  const fixture = await openChatEngineFixture();
  const ends: string[] = [];
  const store = new ChatStore(fixture.database.documents, (state) => void ends.push(state));
  const { messenger } = scriptedMessenger(first(later(1_000)));
  await store.add([toAnn, noteFor('customer:cus_x'), postOf(1), postOf(2)]);
  fixture.engine({ telegram: messenger }, { customers: ann(), store, postsPerDay: 1 });

  await fixture.pass(60_000);

  expect(ends.toSorted()).toEqual(['dropped', 'folded', 'sent', 'sent']);
});
