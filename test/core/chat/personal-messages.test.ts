import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import type { MessageRank, Messenger } from '../../../src/core/chat/messenger.ts';
import {
  choiceOf,
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  settle,
} from '../../support/chat/chat-engine-fixture.ts';
import { personalOf, postOf } from '../../support/chat/messages.ts';
import { openPersonal } from '../../support/chat/personal-engine.ts';
import { later, refusal, scriptedMessenger, views } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `cus_${String.fromCharCode(97 + index)}`);
const idOf = (alertId: number) => `personal:${alertId}@cus_a`;

describe('messages about what people follow', () => {
  test('go to eight people at once, and one after the other to one person, the best first', async () => {
    const ours = [1, 2, 3].map((id) => personalOf(id, 'cus_a', { score: id }));
    const others = people(12)
      .slice(1)
      .map((id) => personalOf(1, id, { dueAt: START + 1 }));
    const waiting: (() => void)[] = [];
    const fixture = await openPersonal([...ours, ...others], {
      answer: () => new Promise((resolve) => waiting.push(() => resolve(undefined))),
    });

    await fixture.pass(1_000);

    expect(views(fixture.calls)).toEqual(
      [3, ...people(8).slice(1)].map((of) => (of === 3 ? idOf(3) : `personal:1@${of}`)),
    );
    for (let turn = 0; turn < 20; turn += 1) {
      for (const end of waiting.splice(0)) end();
      await fixture.pass(1_000);
    }
    expect(fixture.calls).toHaveLength(14);
    const toAnn = fixture.calls.filter(({ where }) => where === 'chat cus_a');
    expect(views(toAnn)).toEqual([idOf(3), idOf(2), idOf(1)]);
  });

  test('are given to the platform by the rank of their queue: real time first, then the free delay', async () => {
    const fixture = await openChatEngineFixture();
    const { messenger } = scriptedMessenger();
    const sent: string[] = [];
    const ranked = (rank: MessageRank): Messenger<string> => ({
      ...messenger,
      async send(_to, view) {
        sent.push(`${rank} ${view}`);
        return { ok: true, place: view };
      },
    });
    await fixture.store.add([personalOf(1, 'cus_a'), personalOf(1, 'cus_b', { isRealtime: false })]);
    fixture.engine({ telegram: { ...messenger, ranked } }, { choice: choiceOf() });

    await fixture.pass(2_000);

    expect(sent.toSorted()).toEqual(['first personal:1@cus_a', 'later personal:1@cus_b']);
  });

  test('to the same chat are a second apart', async () => {
    const fixture = await openPersonal([1, 2, 3].map((id) => personalOf(id, 'cus_a')));

    fixture.engine.wake();
    await fixture.pass(1_000, 100);
    for (let turn = 0; turn < 5; turn += 1) fixture.engine.wake();
    await settle();

    expect(fixture.calls.length).toBeLessThanOrEqual(2);
    await fixture.pass(4_000, 100);
    expect(fixture.calls).toHaveLength(3);
  });

  test('the wait of one chat delays that person alone, and costs their other messages no attempt', async () => {
    const messages = [1, 2].flatMap((id) => [personalOf(id, 'cus_a'), personalOf(id, 'cus_b')]);
    const fixture = await openPersonal(messages, {
      answer: ({ where }) => (where === 'chat cus_a' ? { ...later(60_000), isChatOnly: true } : undefined),
    });

    await fixture.pass(10_000);

    expect(fixture.calls.map(({ where }) => where).toSorted()).toEqual([
      'chat cus_a',
      'chat cus_b',
      'chat cus_b',
    ]);
    const attempts = await Promise.all(
      [1, 2].map(async (id) => (await fixture.store.byId(idOf(id)))?.attempts),
    );
    expect(attempts.toSorted()).toEqual([0, 1]);
  });

  test('wait all when the platform wants nothing from the bot, each at most once in that time', async () => {
    const fixture = await openPersonal(
      people(20).map((id) => personalOf(1, id)),
      { answer: () => later(30_000) },
    );

    await fixture.pass(29_000);

    expect(fixture.calls.length).toBeLessThanOrEqual(8);
  });

  test('do not wait for a channel, and no channel waits for them', async () => {
    const fixture = await openPersonal([postOf(1), ...people(20).map((id) => personalOf(1, id))], {
      answer: ({ where }) => (where === 'channel' ? undefined : later(HOUR_MS)),
    });

    await fixture.pass(5_000);

    expect(await fixture.stateOf('alert:1@telegram')).toBe('sent');
  });

  test('one whose turn fails each time holds up nobody', async () => {
    const fixture = await openChatEngineFixture();
    const { messenger, calls } = scriptedMessenger();
    const choice = choiceOf(({ recipient }) => {
      if (recipient === 'customer:cus_a') throw new Error('bad row');
      return undefined;
    });
    await fixture.store.add([personalOf(1, 'cus_a'), personalOf(1, 'cus_b', { dueAt: START + 1 })]);
    fixture.engine({ telegram: messenger }, { choice });

    await fixture.pass(2_000);

    expect(views(calls)).toEqual(['personal:1@cus_b']);
    expect(await fixture.stateOf(idOf(1))).toBe('pending');
  });

  test('that are not wanted are dropped, folded or moved, with the reason', async () => {
    const fixture = await openPersonal(
      [1, 2, 3, 4].map((id) => personalOf(id, 'cus_a')),
      {
        verdictOn: (id) =>
          [
            { act: 'drop', why: 'muted' } as const,
            { act: 'fold', why: 'quiet hours' } as const,
            { act: 'wait', until: START + HOUR_MS } as const,
          ][id - 1],
      },
    );

    await fixture.pass(2_000);

    expect(views(fixture.calls)).toEqual([idOf(4)]);
    expect(await fixture.store.byId(idOf(1))).toMatchObject({ state: 'dropped', error: 'muted' });
    expect(await fixture.store.byId(idOf(2))).toMatchObject({ state: 'folded', error: 'quiet hours' });
    expect(await fixture.store.byId(idOf(3))).toMatchObject({ state: 'pending', dueAt: START + HOUR_MS });
  });

  test('to a place without a messenger are ended when they are not wanted, and otherwise wait', async () => {
    const at = (id: number) => personalOf(id, 'cus_a', { platform: 'terminal', score: id });
    const fixture = await openPersonal([at(1), at(2)], {
      verdictOn: (id) => (id === 1 ? { act: 'fold', why: 'too late' } : undefined),
    });

    await fixture.pass(2_000);

    expect(fixture.calls).toEqual([]);
    expect([await fixture.stateOf(idOf(1)), await fixture.stateOf(idOf(2))]).toEqual(['folded', 'pending']);
  });

  test('a person who blocked the bot is unreachable from then on; the alert waits for their next list', async () => {
    const customers = fakeCustomers({ cus_a: handleOn('telegram', 'cus_a') });
    const fixture = await openPersonal([personalOf(1, 'cus_a')], {
      customers,
      answer: () => refusal('blocked'),
    });

    await fixture.pass(1_000);

    expect(await fixture.store.byId(idOf(1))).toMatchObject({ state: 'folded', error: 'unreachable' });
    expect((await customers.byId('cus_a'))?.isReachable).toBe(false);
  });

  test('nothing is sent while personal alerts are paused, and what is due is sent when they are resumed', async () => {
    let paused = 'personal';
    const isPaused = (name: string) => name === paused;
    const fixture = await openPersonal([personalOf(1, 'cus_a')], { isPaused });
    await fixture.pass(10_000);
    expect(fixture.calls).toEqual([]);

    paused = '';
    await fixture.pass(1_000);

    expect(fixture.calls).toHaveLength(1);
  });

  test.each(['gone', 'refused'] as const)('an alert that is %s waits for the next list', async (reason) => {
    const fixture = await openPersonal([personalOf(1, 'cus_a')], { answer: () => refusal(reason) });

    await fixture.pass(1_000);

    expect(await fixture.stateOf(idOf(1))).toBe('folded');
  });
});
