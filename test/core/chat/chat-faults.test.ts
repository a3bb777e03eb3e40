import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import {
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  settle,
} from '../../support/chat/chat-engine-fixture.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { recognisingMessenger } from '../../support/chat/recognising-messenger.ts';
import { later, refusal, scriptedMessenger } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const NOTE = 'note:customer:cus_a';
const POST = 'alert:1@telegram';
const CUSTOMERS = fakeCustomers({ cus_a: [handleOn('telegram', 'ann')] });

describe('an answer that is lost on a platform that recognises a repeated message', () => {
  test('the message is sent again until it is answered, and is there once', async () => {
    const fixture = await openChatEngineFixture();
    const platform = recognisingMessenger();
    platform.answers.push('lost', later(), 'lost');
    await fixture.store.add([postOf(1, { channel: 'discord' })]);
    fixture.engine({ discord: platform.messenger });

    await fixture.pass(MINUTE_MS);

    expect(platform.there).toEqual(['alert:1@discord']);
    expect(platform.sends).toBe(4);
    expect(await fixture.store.byId('alert:1@discord')).toMatchObject({ state: 'sent', unsureSince: null });
  });

  test('after two minutes it is not sent again: its outcome is unknown', async () => {
    const fixture = await openChatEngineFixture();
    const platform = recognisingMessenger();
    platform.answers.push('lost', later(119_000));
    await fixture.store.add([postOf(1, { channel: 'discord' })]);
    fixture.engine({ discord: platform.messenger });

    await fixture.pass(5 * MINUTE_MS);

    expect(platform.sends).toBe(2);
    const end = { state: 'unknown', error: 'later: 429', unsureSince: START };
    expect(await fixture.store.byId('alert:1@discord')).toMatchObject(end);
  });

  test('a refusal of the second attempt says nothing of the first: unknown', async () => {
    const fixture = await openChatEngineFixture();
    const platform = recognisingMessenger();
    platform.answers.push('lost', refusal('refused'));
    await fixture.store.add([postOf(1, { channel: 'discord' })]);
    fixture.engine({ discord: platform.messenger });

    await fixture.pass(MINUTE_MS);

    expect(await fixture.stateOf('alert:1@discord')).toBe('unknown');
  });

  test('meanwhile nothing takes its place: no newer alert of its thread, no list, no withdrawal', async () => {
    const fixture = await openChatEngineFixture();
    const platform = recognisingMessenger();
    platform.answers.push('lost');
    const [first, second] = [
      postOf(1, { channel: 'discord' }),
      postOf(2, { channel: 'discord', threadId: 1 }),
    ];
    await fixture.store.add([first]);
    fixture.engine({ discord: platform.messenger });
    await fixture.pass(500);

    expect(await fixture.store.makeUpdate(first.id)).toBe(false);
    expect(await fixture.store.withdraw(first.id, START)).toBe(false);
    expect(await fixture.store.giveUp(first.id, { state: 'folded', error: null, at: START })).toBe(false);
    await fixture.store.add([second]);
    await fixture.pass(MINUTE_MS);

    expect(platform.there).toEqual([first.id]);
    expect(await fixture.store.byId(second.id)).toMatchObject({ kind: 'alert_update', state: 'sent' });
  });
});

describe('a process that dies between claim and answer', () => {
  test('leaves messages whose outcome is unknown: neither a post nor one to a person is sent again', async () => {
    const fixture = await openChatEngineFixture();
    const dead = scriptedMessenger(() => new Promise<never>(() => {}));
    await fixture.store.add([postOf(1), noteFor('customer:cus_a')]);
    fixture.engine({ telegram: dead.messenger }, { customers: CUSTOMERS, closes: false, owner: 'dead' });
    await settle();
    expect(dead.calls).toHaveLength(2);
    const alive = scriptedMessenger();

    const isGone = (owner: string) => owner === 'dead';
    fixture.engine({ telegram: alive.messenger }, { customers: CUSTOMERS, isGone });
    await fixture.pass(12_000);

    expect(alive.calls).toEqual([]);
    const end = { state: 'unknown', error: 'the answer was not recorded', unsureSince: START };
    expect(await fixture.store.byId(POST)).toMatchObject(end);
    expect(await fixture.store.byId(NOTE)).toMatchObject(end);
  });

  test('on a platform that recognises a repeated message: it is sent again, under the same nonce', async () => {
    const fixture = await openChatEngineFixture();
    const platform = recognisingMessenger();
    platform.answers.push('dies', 'dies');
    await fixture.store.add([postOf(1, { channel: 'discord' }), noteFor('customer:cus_a')]);
    const customers = fakeCustomers({ cus_a: [handleOn('discord', 'ann')] });
    fixture.engine({ discord: platform.messenger }, { customers, closes: false, owner: 'dead' });
    await settle();
    expect(platform.there).toHaveLength(2);

    const isGone = (owner: string) => owner === 'dead';
    fixture.engine({ discord: platform.messenger }, { customers, isGone });
    await fixture.pass(12_000);

    expect(platform.there).toHaveLength(2);
    for (const id of ['alert:1@discord', NOTE])
      expect(await fixture.store.byId(id)).toMatchObject({ state: 'sent', place: id, unsureSince: null });
  });

  test('of which nothing is known is waited for until it cannot be sending any more', async () => {
    const fixture = await openChatEngineFixture();
    await fixture.store.add([noteFor('customer:cus_a')]);
    await fixture.store.claim(NOTE, { owner: 'elsewhere#1', at: START });
    const { messenger, calls } = scriptedMessenger();
    fixture.engine({ telegram: messenger }, { customers: CUSTOMERS });

    await fixture.pass(2 * MINUTE_MS);
    expect(await fixture.stateOf(NOTE)).toBe('sending');
    await fixture.pass(MINUTE_MS);

    expect(calls).toEqual([]);
    expect(await fixture.stateOf(NOTE)).toBe('unknown');
  });
});

test('two engines on one database send each message once', async () => {
  const fixture = await openChatEngineFixture();
  const { messenger, calls } = scriptedMessenger();
  const ids = Array.from({ length: 150 }, (_, index) => index + 1);
  await fixture.store.add(ids.map((id) => postOf(id)));
  fixture.engine({ telegram: messenger });
  fixture.engine({ telegram: messenger });

  await fixture.pass(5_000);

  expect(calls.map(({ view }) => view).toSorted()).toEqual(
    ids.map((id) => `alert:${id}@telegram`).toSorted(),
  );
});

test('a store that fails now and then: a message whose claim was lost with the answer is still sent once', async () => {
  const fixture = await openChatEngineFixture();
  const { messenger, calls } = scriptedMessenger();
  await fixture.store.add([postOf(1), noteFor('customer:cus_a')]);
  const store = failing(fixture.store, ['claim', 'finish'], 2);
  fixture.engine({ telegram: messenger }, { customers: CUSTOMERS, store });

  await fixture.pass(MINUTE_MS);

  expect(calls).toHaveLength(2);
  expect(await fixture.store.counts()).toMatchObject({ sent: 2 });
});

test('closing lets what is being sent end, then cuts it off, within 5 seconds', async () => {
  const fixture = await openChatEngineFixture();
  const aborted: boolean[] = [];
  const { messenger } = scriptedMessenger(
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.push(true);
          resolve({ ok: false, reason: 'unknown', retryAfterMs: 0, detail: 'cut off' });
        });
      }),
  );
  await fixture.store.add([postOf(1), postOf(2)]);
  const engine = fixture.engine({ telegram: messenger }, { closes: false });
  await settle();

  const closing = engine.close();
  await fixture.pass(4_000);
  await closing;

  expect(aborted).toHaveLength(1);
  expect(await fixture.store.byId(POST)).toMatchObject({ state: 'unknown', error: 'unknown: cut off' });
  expect(await fixture.stateOf('alert:2@telegram')).toBe('pending');
  expect(fixture.clock.sleepers).toBe(0);
});

/** A store whose first answers of some calls are lost: done for `claim`, not done for the others. */
function failing(store: ChatStore, names: readonly ('claim' | 'finish')[], times: number): ChatStore {
  const left = new Map(names.map((name) => [name, times]));
  const isLost = (name: 'claim' | 'finish') => {
    const more = left.get(name) ?? 0;
    left.set(name, more - 1);
    return more > 0;
  };
  return {
    ...store,
    async claim(id, by) {
      const isOurs = await store.claim(id, by);
      if (isLost('claim')) throw new Error('no answer');
      return isOurs;
    },
    async finish(id, owner, change) {
      if (isLost('finish')) throw new Error('no answer');
      return store.finish(id, owner, change);
    },
  };
}
