import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { withMessageMetrics } from '../../../src/core/chat/chat-store.ts';
import { keyOf } from '../../infra/database/api-key.ts';
import {
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  openSending,
} from '../../support/chat/chat-engine-fixture.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { first, later, refusal, scriptedMessenger, views } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const NOTE = 'note:customer:cus_a';
const ann = () => fakeCustomers({ cus_a: [handleOn('telegram', 'ann'), handleOn('discord', 'ann')] });

describe('a message to a person', () => {
  test('goes to the first chat where they can be reached; one for a key to its owner', async () => {
    const fixture = await openChatEngineFixture();
    const telegram = scriptedMessenger();
    const discord = scriptedMessenger();
    const customers = fakeCustomers({
      cus_a: [handleOn('terminal', 'ann'), handleOn('telegram', 'ann', false), handleOn('discord', 'ann')],
      cus_b: [handleOn('telegram', 'bob'), handleOn('discord', 'bob')],
    });
    await fixture.database.keys.insert(keyOf({ id: 'key_b', customerId: 'cus_b' }));
    await fixture.store.add([noteFor('customer:cus_a'), noteFor('key:key_b')]);
    fixture.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await fixture.pass(1_000);

    expect(telegram.calls).toEqual([{ how: 'send', where: 'chat bob', view: 'note:key:key_b' }]);
    expect(discord.calls).toEqual([{ how: 'send', where: 'chat ann', view: NOTE }]);
  });

  test('is dropped when there is nowhere to write to, and when they were banned meanwhile', async () => {
    const fixture = await openChatEngineFixture();
    const { messenger, calls } = scriptedMessenger();
    const people = {
      cus_a: [handleOn('terminal', 'ann')],
      cus_b: [handleOn('discord', 'bob')],
      cus_banned: [handleOn('telegram', 'eve')],
    };
    const customers = fakeCustomers(people, ['cus_banned']);
    await fixture.database.keys.insert(keyOf({ id: 'key_a' }));
    const recipients = [
      'customer:cus_a',
      'customer:cus_b',
      'customer:cus_banned',
      'customer:cus_x',
      'key:key_a',
      'key:key_x',
    ] as const;
    await fixture.store.add(recipients.map((recipient) => noteFor(recipient)));
    fixture.engine({ telegram: messenger }, { customers });

    await fixture.pass(1_000);

    expect(calls).toEqual([]);
    expect(await fixture.store.counts()).toMatchObject({ dropped: 6, pending: 0 });
  });

  test('that they want none of there goes to their other platform', async () => {
    const fixture = await openChatEngineFixture();
    const telegram = scriptedMessenger(() => refusal('blocked'));
    const discord = scriptedMessenger();
    const customers = ann();
    await fixture.store.add([noteFor('customer:cus_a')]);
    fixture.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await fixture.pass(3_000);

    expect([telegram.calls.length, discord.calls.length]).toEqual([1, 1]);
    expect(await fixture.stateOf(NOTE)).toBe('sent');
    expect((await customers.byId('cus_a'))?.handles[0]).toMatchObject({ isReachable: false });
  });

  test('that they want none of anywhere has failed, and nothing more is sent there', async () => {
    const { calls, ...fixture } = await openSending([noteFor('customer:cus_a')], {
      answer: () => refusal('blocked'),
      customers: ann(),
    });
    await fixture.pass(3_000);
    await fixture.store.add([noteFor('customer:cus_a', { id: 'another' })]);

    await fixture.pass(3_000);

    expect(calls).toHaveLength(1);
    expect(await fixture.stateOf(NOTE)).toBe('failed');
    expect(await fixture.stateOf('another')).toBe('dropped');
  });

  test('is given up after three days', async () => {
    const fixture = await openChatEngineFixture();
    const { messenger, calls } = scriptedMessenger();
    const dueAt = START - 3 * DAY_MS;
    await fixture.store.add([noteFor('customer:cus_a', { dueAt: dueAt - 1 })]);
    await fixture.store.add([noteFor('customer:cus_a', { dueAt, id: 'another' })]);
    fixture.engine({ telegram: messenger }, { customers: ann() });

    await fixture.pass(1_000);

    expect(views(calls)).toEqual(['another']);
  });

  test.each([true, false])(
    'waits for the flood wait of another person only when that is the limit of the bot (of the chat only: %s)',
    async (isChatOnly) => {
      const fixture = await openChatEngineFixture();
      const { messenger, calls } = scriptedMessenger(({ where }) =>
        where === 'chat eve' ? { ...later(300_000), isChatOnly } : undefined,
      );
      const customers = fakeCustomers({
        cus_e: [handleOn('telegram', 'eve')],
        cus_f: [handleOn('telegram', 'fay')],
      });
      await fixture.store.add([noteFor('customer:cus_e', { dueAt: START - 1 }), noteFor('customer:cus_f')]);
      fixture.engine({ telegram: messenger }, { customers });

      await fixture.pass(2_000);

      expect(calls.map(({ where }) => where)).toEqual(isChatOnly ? ['chat eve', 'chat fay'] : ['chat eve']);
      expect(await fixture.stateOf('note:customer:cus_e')).toBe('pending');
    },
  );

  test('is not held up by a channel that is down, nor by the other platform', async () => {
    const fixture = await openChatEngineFixture();
    const telegram = scriptedMessenger(({ where }) => (where === 'channel' ? later(HOUR_MS) : undefined));
    const discord = scriptedMessenger(() => later(HOUR_MS));
    const customers = fakeCustomers({
      cus_a: [handleOn('telegram', 'ann')],
      cus_b: [handleOn('discord', 'bob')],
    });
    await fixture.store.add([
      postOf(1),
      noteFor('customer:cus_b'),
      noteFor('customer:cus_a', { dueAt: START + 1 }),
    ]);
    fixture.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await fixture.pass(2_000);

    expect(await fixture.stateOf(NOTE)).toBe('sent');
  });

  test('is found behind hundreds that wait for a platform that is down', async () => {
    const fixture = await openChatEngineFixture();
    const telegram = scriptedMessenger();
    const discord = scriptedMessenger(() => later(HOUR_MS));
    const customers = fakeCustomers({
      cus_a: [handleOn('telegram', 'ann')],
      cus_b: [handleOn('discord', 'bob')],
    });
    const waiting = Array.from({ length: 350 }, (_, index) =>
      noteFor('customer:cus_b', { id: `b ${index}` }),
    );
    await fixture.store.add([...waiting, noteFor('customer:cus_a', { dueAt: START + 1 })]);
    fixture.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await fixture.pass(6_000);

    expect(views(telegram.calls)).toEqual([NOTE]);
    expect(discord.calls).toHaveLength(1);
  });

  test('is looked for once a second, not in a loop, behind pages of messages of other queues', async () => {
    const fixture = await openChatEngineFixture();
    let reads = 0;
    const due: typeof fixture.store.due = async ({ lane, limit }) => {
      if (lane !== 'private') return [];
      reads += 1;
      return Array.from({ length: limit }, () => postOf(1) as ChatMessage);
    };
    fixture.engine({ telegram: scriptedMessenger().messenger }, { store: { ...fixture.store, due } });

    await fixture.pass(3_000);

    expect(reads).toBe(4);
  });

  test('is not held up by one whose turn fails each time', async () => {
    const customers = ann();
    const byId = (id: string) => (id === 'cus_x' ? Promise.reject(new Error('a fault')) : customers.byId(id));
    const { calls, ...fixture } = await openSending(
      [noteFor('customer:cus_x', { dueAt: START - 1 }), noteFor('customer:cus_a')],
      { customers: { ...customers, byId } },
    );

    await fixture.pass(3_000);

    expect(views(calls)).toEqual([NOTE]);
    expect(await fixture.stateOf('note:customer:cus_x')).toBe('pending');
  });
});

describe('a message to an operator', () => {
  const toOperator = noteFor('operator:telegram:42', { id: 'news' });

  test('goes to them in private on their platform, who need not be a customer', async () => {
    const fixture = await openChatEngineFixture();
    const telegram = scriptedMessenger();
    const discord = scriptedMessenger();
    await fixture.store.add([toOperator]);
    fixture.engine({ telegram: telegram.messenger, discord: discord.messenger });

    await fixture.pass(1_000);

    expect(telegram.calls).toEqual([{ how: 'send', where: '42', view: 'news' }]);
    expect(discord.calls).toEqual([]);
    expect(await fixture.stateOf('news')).toBe('sent');
  });

  test.each(['beside the bot for people', 'alone'])('goes by the bot of their own, %s', async (place) => {
    const fixture = await openChatEngineFixture();
    const people = scriptedMessenger();
    const operator = scriptedMessenger();
    await fixture.store.add([toOperator, noteFor('customer:cus_a')]);
    const messengers = place === 'alone' ? {} : { telegram: people.messenger };
    fixture.engine(messengers, { customers: ann(), operatorMessengers: { telegram: operator.messenger } });

    await fixture.pass(1_000);

    expect(operator.calls).toEqual([{ how: 'send', where: '42', view: 'news' }]);
    expect(views(people.calls)).toEqual(place === 'alone' ? [] : [NOTE]);
  });

  test('who wants none is tried once', async () => {
    const { calls, ...fixture } = await openSending([toOperator], { answer: () => refusal('blocked') });

    await fixture.pass(MINUTE_MS);

    expect(calls).toHaveLength(1);
    expect(await fixture.stateOf('news')).toBe('failed');
  });
});

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
