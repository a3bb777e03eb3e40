import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import { fakeCustomers, handleOn, openChatHouse } from '../../support/chat/chat-house.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import {
  first,
  later,
  refusal,
  scriptedMessenger,
  UNKNOWN,
  views,
} from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';
import { keyOf } from '../webhooks/delivery-desk.ts';

const NOTE = 'note:customer:cus_a';
const ann = () => fakeCustomers({ cus_a: [handleOn('telegram', 'ann'), handleOn('discord', 'ann')] });

describe('a message to a person', () => {
  test('goes to the first place where they can be reached; a key’s to whoever owns it', async () => {
    const house = await openChatHouse();
    const telegram = scriptedMessenger();
    const discord = scriptedMessenger();
    const customers = fakeCustomers({
      cus_a: [handleOn('terminal', 'ann'), handleOn('telegram', 'ann', false), handleOn('discord', 'ann')],
      cus_b: [handleOn('telegram', 'bob'), handleOn('discord', 'bob')],
    });
    await house.database.keys.insert(keyOf({ id: 'key_b', customerId: 'cus_b' }));
    await house.store.add([noteFor('customer:cus_a'), noteFor('key:key_b')]);
    house.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await house.pass(1_000);

    expect(telegram.calls).toEqual([{ how: 'send', where: 'chat bob', view: 'note:key:key_b' }]);
    expect(discord.calls).toEqual([{ how: 'send', where: 'chat ann', view: NOTE }]);
  });

  test('is dropped when there is nowhere to write to, and when they were banned meanwhile', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    const people = {
      cus_a: [handleOn('terminal', 'ann')],
      cus_b: [handleOn('discord', 'bob')],
      cus_banned: [handleOn('telegram', 'eve')],
    };
    const customers = fakeCustomers(people, ['cus_banned']);
    await house.database.keys.insert(keyOf({ id: 'key_a' }));
    const recipients = [
      'customer:cus_a',
      'customer:cus_b',
      'customer:cus_banned',
      'customer:cus_x',
      'key:key_a',
      'key:key_x',
    ] as const;
    await house.store.add(recipients.map((recipient) => noteFor(recipient)));
    house.engine({ telegram: messenger }, { customers });

    await house.pass(1_000);

    expect(calls).toEqual([]);
    expect(await house.store.counts()).toMatchObject({ dropped: 6, pending: 0 });
  });

  test('that may have arrived is sent again: better twice than never', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger(first(UNKNOWN));
    await house.store.add([noteFor('customer:cus_a')]);
    house.engine({ telegram: messenger }, { customers: ann() });

    await house.pass(MINUTE_MS);

    expect(calls).toHaveLength(2);
    expect(await house.stateOf(NOTE)).toBe('sent');
  });

  test('that they want none of there goes to their other platform', async () => {
    const house = await openChatHouse();
    const telegram = scriptedMessenger(() => refusal('blocked'));
    const discord = scriptedMessenger();
    const customers = ann();
    await house.store.add([noteFor('customer:cus_a')]);
    house.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await house.pass(3_000);

    expect([telegram.calls.length, discord.calls.length]).toEqual([1, 1]);
    expect(await house.stateOf(NOTE)).toBe('sent');
    expect((await customers.byId('cus_a'))?.handles[0]).toMatchObject({ isReachable: false });
  });

  test('that they want none of anywhere has failed, and nothing more is sent there', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger(() => refusal('blocked'));
    await house.store.add([noteFor('customer:cus_a')]);
    house.engine({ telegram: messenger }, { customers: ann() });
    await house.pass(3_000);
    await house.store.add([noteFor('customer:cus_a', { id: 'another' })]);

    await house.pass(3_000);

    expect(calls).toHaveLength(1);
    expect(await house.stateOf(NOTE)).toBe('failed');
    expect(await house.stateOf('another')).toBe('dropped');
  });

  test('is given up after three days', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    const dueAt = START - 3 * DAY_MS;
    await house.store.add([noteFor('customer:cus_a', { dueAt: dueAt - 1 })]);
    await house.store.add([noteFor('customer:cus_a', { dueAt, id: 'another' })]);
    house.engine({ telegram: messenger }, { customers: ann() });

    await house.pass(1_000);

    expect(views(calls)).toEqual(['another']);
  });

  test('is not held up by a channel that is down, nor by the other platform', async () => {
    const house = await openChatHouse();
    const telegram = scriptedMessenger(({ where }) => (where === 'channel' ? later(HOUR_MS) : undefined));
    const discord = scriptedMessenger(() => later(HOUR_MS));
    const customers = fakeCustomers({
      cus_a: [handleOn('telegram', 'ann')],
      cus_b: [handleOn('discord', 'bob')],
    });
    await house.store.add([
      postOf(1),
      noteFor('customer:cus_b'),
      noteFor('customer:cus_a', { dueAt: START + 1 }),
    ]);
    house.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await house.pass(2_000);

    expect(await house.stateOf(NOTE)).toBe('sent');
  });

  test('is found behind hundreds that wait for a platform that is down', async () => {
    const house = await openChatHouse();
    const telegram = scriptedMessenger();
    const discord = scriptedMessenger(() => later(HOUR_MS));
    const customers = fakeCustomers({
      cus_a: [handleOn('telegram', 'ann')],
      cus_b: [handleOn('discord', 'bob')],
    });
    const waiting = Array.from({ length: 350 }, (_, index) =>
      noteFor('customer:cus_b', { id: `b ${index}` }),
    );
    await house.store.add([...waiting, noteFor('customer:cus_a', { dueAt: START + 1 })]);
    house.engine({ telegram: telegram.messenger, discord: discord.messenger }, { customers });

    await house.pass(6_000);

    expect(views(telegram.calls)).toEqual([NOTE]);
    expect(discord.calls).toHaveLength(1);
  });

  test('is not held up by one whose turn fails each time', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    const customers = ann();
    const byId = (id: string) => (id === 'cus_x' ? Promise.reject(new Error('a fault')) : customers.byId(id));
    await house.store.add([noteFor('customer:cus_x', { dueAt: START - 1 }), noteFor('customer:cus_a')]);
    house.engine({ telegram: messenger }, { customers: { ...customers, byId } });

    await house.pass(3_000);

    expect(views(calls)).toEqual([NOTE]);
    expect(await house.stateOf('note:customer:cus_x')).toBe('pending');
  });
});

describe('a message to an operator', () => {
  const toOperator = noteFor('operator:telegram:42', { id: 'news' });

  test('goes to them in private on their platform, who need not be a customer', async () => {
    const house = await openChatHouse();
    const telegram = scriptedMessenger();
    const discord = scriptedMessenger();
    await house.store.add([toOperator]);
    house.engine({ telegram: telegram.messenger, discord: discord.messenger });

    await house.pass(1_000);

    expect(telegram.calls).toEqual([{ how: 'send', where: '42', view: 'news' }]);
    expect(discord.calls).toEqual([]);
    expect(await house.stateOf('news')).toBe('sent');
  });

  test.each(['beside the bot for people', 'alone'])('goes by the bot of their own, %s', async (place) => {
    const house = await openChatHouse();
    const people = scriptedMessenger();
    const operator = scriptedMessenger();
    await house.store.add([toOperator, noteFor('customer:cus_a')]);
    const messengers = place === 'alone' ? {} : { telegram: people.messenger };
    house.engine(messengers, { customers: ann(), operatorMessengers: { telegram: operator.messenger } });

    await house.pass(1_000);

    expect(operator.calls).toEqual([{ how: 'send', where: '42', view: 'news' }]);
    expect(views(people.calls)).toEqual(place === 'alone' ? [] : [NOTE]);
  });

  test('who wants none is tried once', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger(() => refusal('blocked'));
    await house.store.add([toOperator]);
    house.engine({ telegram: messenger });

    await house.pass(MINUTE_MS);

    expect(calls).toHaveLength(1);
    expect(await house.stateOf('news')).toBe('failed');
  });
});
