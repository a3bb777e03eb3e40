import { describe, expect, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { openChatEngineFixture, openSending, settle } from '../../support/chat/chat-engine-fixture.ts';
import { postOf } from '../../support/chat/messages.ts';
import { first, later, refusal, scriptedMessenger, views } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const POST = 'alert:1@telegram';

describe('a post in a channel', () => {
  test('is sent when it is due, not before, and its place is kept', async () => {
    const { calls, ...fixture } = await openSending([postOf(1, { dueAt: START + 3_000 })]);

    await fixture.pass(2_000);
    expect(calls).toEqual([]);
    await fixture.pass(1_000);

    expect(calls).toEqual([{ how: 'send', where: 'channel', view: POST }]);
    expect(await fixture.store.byId(POST)).toMatchObject({
      state: 'sent',
      place: 'm1',
      sentAt: START + 3_000,
    });
  });

  test('is sent immediately when the engine is woken', async () => {
    const fixture = await openChatEngineFixture();
    const { messenger, calls } = scriptedMessenger();
    const engine = fixture.engine({ telegram: messenger });
    await fixture.clock.asleep(3);
    await fixture.store.add([postOf(1)]);

    engine.wake();
    await settle();

    expect(calls).toHaveLength(1);
  });

  test('of hundreds that are due, none waits for the next look', async () => {
    const { calls } = await openSending(Array.from({ length: 350 }, (_, index) => postOf(index + 1)));

    await settle();

    expect(calls).toHaveLength(350);
  });

  test('429 is obeyed: the channel rests as long as it asks, then the post goes out once', async () => {
    const {
      calls,
      own: engine,
      ...fixture
    } = await openSending([postOf(1), postOf(2)], { answer: first(later(7_000)) });

    await fixture.pass(6_000);
    expect(views(calls)).toEqual([POST]);
    engine.wake();
    await fixture.pass(900);
    expect(views(calls)).toEqual([POST]);
    await fixture.pass(4_000);

    expect(views(calls).toSorted()).toEqual([POST, POST, 'alert:2@telegram']);
    expect(await fixture.store.byId(POST)).toMatchObject({ state: 'sent', attempts: 2, error: null });
  });

  test('a channel that is down is tried less and less often, and the post given up after an hour', async () => {
    const { calls, ...fixture } = await openSending([postOf(1)], { answer: () => later() });

    await fixture.pass(HOUR_MS + 6 * MINUTE_MS, 5_000);

    expect(calls.length).toBeGreaterThan(15);
    expect(calls.length).toBeLessThan(25);
    expect(await fixture.store.byId(POST)).toMatchObject({ state: 'failed', error: 'later: 429' });
  });

  test('is unknown when the messenger throws, or says nothing for a minute', async () => {
    const fixture = await openChatEngineFixture();
    const answers = [() => Promise.reject(new Error('a fault')), () => new Promise<never>(() => {})];
    const { messenger, calls } = scriptedMessenger(() => answers.shift()?.());
    await fixture.store.add([postOf(1), postOf(2), postOf(3)]);
    fixture.engine({ telegram: messenger });

    await fixture.pass(2 * MINUTE_MS);

    expect(calls).toHaveLength(3);
    expect(await fixture.stateOf(POST)).toBe('unknown');
    expect(await fixture.stateOf('alert:2@telegram')).toBe('unknown');
    expect(await fixture.stateOf('alert:3@telegram')).toBe('sent');
  });

  test.each(['gone', 'refused', 'blocked'] as const)('%s: it is given up and logged', async (reason) => {
    const warn = vi.fn();
    const { calls, ...fixture } = await openSending([postOf(1)], {
      answer: first(refusal(reason)),
      logger: { ...silentLogger, warn },
    });

    await fixture.pass(MINUTE_MS);

    expect(calls).toHaveLength(1);
    expect(await fixture.store.byId(POST)).toMatchObject({ state: 'failed', error: `${reason}: no` });
    expect(warn).toHaveBeenCalledOnce();
  });

  test('that has nothing to say any more is dropped', async () => {
    const { calls, ...fixture } = await openSending([postOf(1)], { present: async () => null });

    await fixture.pass(1_000);

    expect(calls).toEqual([]);
    expect(await fixture.stateOf(POST)).toBe('dropped');
  });

  test('whose text cannot be made now is tried again', async () => {
    const present = vi.fn(async ({ id }: { id: string }) => id).mockRejectedValueOnce(new Error('a fault'));
    const { calls, ...fixture } = await openSending([postOf(1)], { present });

    await fixture.pass(10_000);

    expect(calls).toHaveLength(1);
    expect(await fixture.stateOf(POST)).toBe('sent');
  });

  test('older than an hour is not posted (history)', async () => {
    const { calls, ...fixture } = await openSending([
      postOf(1, { dueAt: START - HOUR_MS - 1 }),
      postOf(2, { dueAt: START - HOUR_MS }),
    ]);

    await settle();

    expect(views(calls)).toEqual(['alert:2@telegram']);
    expect(await fixture.stateOf(POST)).toBe('dropped');
  });

  test('waits while posts are paused, and is dropped when that takes an hour', async () => {
    const fixture = await openChatEngineFixture();
    const telegram = scriptedMessenger();
    const paused = new Set<string>(['posts']);
    await fixture.store.add([postOf(1), postOf(2, { dueAt: START + HOUR_MS })]);
    fixture.engine({ telegram: telegram.messenger }, { isPaused: (name) => paused.has(name) });

    await fixture.pass(HOUR_MS, MINUTE_MS);
    await fixture.pass(2_000);
    expect(views(telegram.calls)).toEqual([]);
    paused.clear();
    await fixture.pass(1_000);

    expect(views(telegram.calls)).toEqual(['alert:2@telegram']);
    expect(await fixture.stateOf(POST)).toBe('dropped');
  });
});
