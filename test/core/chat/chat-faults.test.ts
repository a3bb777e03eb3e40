import { describe, expect, test } from 'vitest';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import { MINUTE_MS } from '../../../src/core/duration.ts';
import {
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  settle,
} from '../../support/chat/chat-engine-fixture.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { scriptedMessenger } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const NOTE = 'note:customer:cus_a';
const POST = 'alert:1@telegram';
const CUSTOMERS = fakeCustomers({ cus_a: [handleOn('telegram', 'ann')] });

describe('a process that dies between claim and answer', () => {
  test('leaves a post that is not sent again, and a message to a person that is', async () => {
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

    expect(alive.calls).toEqual([{ how: 'send', where: 'chat ann', view: NOTE }]);
    expect(await fixture.store.byId(POST)).toMatchObject({ state: 'failed', error: 'unknown' });
    expect(await fixture.stateOf(NOTE)).toBe('sent');
  });

  test('of which nothing is known is waited for until it cannot be sending any more', async () => {
    const fixture = await openChatEngineFixture();
    await fixture.store.add([noteFor('customer:cus_a')]);
    await fixture.store.claim(NOTE, { owner: 'elsewhere#1', at: START });
    const { messenger, calls } = scriptedMessenger();
    fixture.engine({ telegram: messenger }, { customers: CUSTOMERS });

    await fixture.pass(2 * MINUTE_MS);
    expect(calls).toEqual([]);
    await fixture.pass(MINUTE_MS);

    expect(calls).toHaveLength(1);
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
  expect(await fixture.store.byId(POST)).toMatchObject({ state: 'failed', error: 'unknown' });
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
