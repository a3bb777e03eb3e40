import { describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import type { SendResult } from '../../../src/core/ports/messenger.ts';
import { fakeCustomers, handleOn, openChatHouse, settle } from '../../support/chat/chat-house.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { type Answer, type MessengerCall, scriptedMessenger } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { keyOf } from '../webhooks/delivery-desk.ts';

const POST = 'alert:1@telegram';
const NOTE = 'note:customer:cus_a';
const later = (retryAfterMs = 0): SendResult => ({ ok: false, reason: 'later', retryAfterMs, detail: '429' });
const UNKNOWN: SendResult = { ok: false, reason: 'unknown', retryAfterMs: 0, detail: 'timeout' };
const refusal = (reason: 'blocked' | 'gone' | 'refused'): SendResult => ({ ok: false, reason, detail: 'no' });

/** The first calls get these answers, the rest is taken. */
function first(...answers: readonly SendResult[]): Answer {
  const left = [...answers];
  return () => left.shift();
}

const views = (calls: readonly MessengerCall[]) => calls.map(({ view }) => view);
const ann = () => fakeCustomers({ cus_a: [handleOn('telegram', 'ann'), handleOn('discord', 'ann')] });

describe('a post in a channel', () => {
  test('is sent when it is due, not before, and its place is kept', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    await house.store.add([postOf(1, { dueAt: START + 3_000 })]);
    house.engine({ telegram: messenger });

    await house.pass(2_000);
    expect(calls).toEqual([]);
    await house.pass(1_000);

    expect(calls).toEqual([{ how: 'send', where: 'channel', view: POST }]);
    expect(await house.store.byId(POST)).toMatchObject({ state: 'sent', place: 'm1', sentAt: START + 3_000 });
  });

  test('is sent at once when the engine is woken', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    const engine = house.engine({ telegram: messenger });
    await house.clock.asleep(3);
    await house.store.add([postOf(1)]);

    engine.wake();
    await settle();

    expect(calls).toHaveLength(1);
  });

  test('429 is obeyed: the channel rests as long as it asks, then the post goes out once', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger(first(later(7_000)));
    await house.store.add([postOf(1), postOf(2)]);
    const engine = house.engine({ telegram: messenger });

    await house.pass(6_000);
    expect(views(calls)).toEqual([POST]);
    const until = START + 7_000;
    expect(engine.status().resting).toEqual([{ platform: 'telegram', lane: 'channel:telegram', until }]);
    await house.pass(4_000);

    expect(views(calls).toSorted()).toEqual([POST, POST, 'alert:2@telegram']);
    expect(await house.store.byId(POST)).toMatchObject({ state: 'sent', attempts: 2, error: null });
    expect(engine.status()).toEqual({ inFlight: 0, resting: [] });
  });

  test('a channel that is down is tried less and less often, and the post given up after an hour', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger(() => later());
    await house.store.add([postOf(1)]);
    house.engine({ telegram: messenger });

    await house.pass(HOUR_MS + 6 * MINUTE_MS);

    expect(calls.length).toBeGreaterThan(15);
    expect(calls.length).toBeLessThan(25);
    expect(await house.store.byId(POST)).toMatchObject({ state: 'failed', error: 'later: 429' });
  });

  test('that may have arrived is never sent again', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger(first(UNKNOWN));
    await house.store.add([postOf(1)]);
    house.engine({ telegram: messenger });

    await house.pass(10 * MINUTE_MS);

    expect(calls).toHaveLength(1);
    expect(await house.store.byId(POST)).toMatchObject({ state: 'failed', error: 'unknown' });
  });

  test('is unknown when the messenger throws, or says nothing for a minute', async () => {
    const house = await openChatHouse();
    const answers = [() => Promise.reject(new Error('a fault')), () => new Promise<never>(() => {})];
    const { messenger, calls } = scriptedMessenger(() => answers.shift()?.());
    await house.store.add([postOf(1), postOf(2), postOf(3)]);
    house.engine({ telegram: messenger });

    await house.pass(2 * MINUTE_MS);

    expect(calls).toHaveLength(3);
    expect(await house.stateOf(POST)).toBe('failed');
    expect(await house.stateOf('alert:2@telegram')).toBe('failed');
    expect(await house.stateOf('alert:3@telegram')).toBe('sent');
  });

  test.each(['gone', 'refused', 'blocked'] as const)('%s: it is given up and logged', async (reason) => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger(first(refusal(reason)));
    const warn = vi.fn();
    await house.store.add([postOf(1)]);
    house.engine({ telegram: messenger }, { logger: { ...silentLogger, warn } });

    await house.pass(MINUTE_MS);

    expect(calls).toHaveLength(1);
    expect(await house.store.byId(POST)).toMatchObject({ state: 'failed', error: `${reason}: no` });
    expect(warn).toHaveBeenCalledOnce();
  });

  test('that has nothing to say any more is dropped', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    await house.store.add([postOf(1)]);
    house.engine({ telegram: messenger }, { present: async () => null });

    await house.pass(1_000);

    expect(calls).toEqual([]);
    expect(await house.stateOf(POST)).toBe('dropped');
  });

  test('whose words cannot be made now is tried again', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    const present = vi.fn(async ({ id }: { id: string }) => id).mockRejectedValueOnce(new Error('a fault'));
    await house.store.add([postOf(1)]);
    house.engine({ telegram: messenger }, { present });

    await house.pass(10_000);

    expect(calls).toHaveLength(1);
    expect(await house.stateOf(POST)).toBe('sent');
  });

  test('older than an hour is not posted (design, history)', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    await house.store.add([postOf(1, { dueAt: START - HOUR_MS - 1 }), postOf(2, { dueAt: START - HOUR_MS })]);
    house.engine({ telegram: messenger });

    await settle();

    expect(views(calls)).toEqual(['alert:2@telegram']);
    expect(await house.stateOf(POST)).toBe('dropped');
  });

  test('waits while its channel is paused, and is dropped when that takes an hour', async () => {
    const house = await openChatHouse();
    const telegram = scriptedMessenger();
    const discord = scriptedMessenger();
    const paused = new Set<string>(['channel:telegram']);
    await house.store.add([
      postOf(1),
      postOf(2, { dueAt: START + HOUR_MS }),
      postOf(1, { channel: 'discord' }),
    ]);
    const messengers = { telegram: telegram.messenger, discord: discord.messenger };
    house.engine(messengers, { isPaused: (name) => paused.has(name) });

    await house.pass(HOUR_MS, MINUTE_MS);
    await house.pass(2_000);
    expect(views(telegram.calls)).toEqual([]);
    expect(views(discord.calls)).toEqual(['alert:1@discord']);
    paused.clear();
    await house.pass(1_000);

    expect(views(telegram.calls)).toEqual(['alert:2@telegram']);
    expect(await house.stateOf(POST)).toBe('dropped');
  });
});

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

  test('is dropped when there is nowhere to write to', async () => {
    const house = await openChatHouse();
    const { messenger, calls } = scriptedMessenger();
    const customers = fakeCustomers({
      cus_a: [handleOn('terminal', 'ann')],
      cus_b: [handleOn('discord', 'bob')],
    });
    await house.database.keys.insert(keyOf({ id: 'key_a' }));
    const recipients = [
      'customer:cus_a',
      'customer:cus_b',
      'customer:cus_x',
      'key:key_a',
      'key:key_x',
    ] as const;
    await house.store.add(recipients.map((recipient) => noteFor(recipient)));
    house.engine({ telegram: messenger }, { customers });

    await house.pass(1_000);

    expect(calls).toEqual([]);
    expect(await house.store.counts()).toMatchObject({ dropped: 5, pending: 0 });
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
