import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import {
  choiceOf,
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  settle,
} from '../../support/chat/chat-engine-fixture.ts';
import { createKeptPlatform } from '../../support/chat/kept-platform.ts';
import { noteFor, personalOf, postOf } from '../../support/chat/messages.ts';
import { later, refusal, scriptedMessenger, UNKNOWN } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const NOTE = 'note:customer:cus_a';
const POST = 'alert:1@telegram';
const CUSTOMERS = fakeCustomers({ cus_a: handleOn('telegram', 'ann') });

type KeptAnswer = ReturnType<Parameters<typeof createKeptPlatform>[0]['answer']>;

/** A platform that recognises a repeated message for two minutes, as Discord does, and its first answers. */
async function openRecognising(...answers: readonly KeptAnswer[]) {
  const fixture = await openChatEngineFixture();
  const left = [...answers];
  const given: KeptAnswer[] = [];
  const answer = () => {
    given.push(left.shift() ?? 'ok');
    return given.at(-1) ?? 'ok';
  };
  const platform = createKeptPlatform({ clock: fixture.clock, answer, deduplicatesForMs: 2 * MINUTE_MS });
  return { ...fixture, ...platform, given };
}

describe('an answer that is lost on a platform that recognises a repeated message', () => {
  const [first, second] = [postOf(1, { channel: 'discord' }), postOf(2, { channel: 'discord', threadId: 1 })];

  test.each<[string, KeptAnswer[], number, object]>([
    [
      'is sent again until it is answered',
      ['lost', later(), 'lost'],
      4,
      { state: 'sent', unsureSince: null },
    ],
    [
      'is not sent again after two minutes: its outcome is unknown',
      ['lost', later(119_000)],
      2,
      { state: 'unknown', error: 'later: 429', unsureSince: START },
    ],
    [
      'is unknown after a refusal, which says nothing of the first',
      ['lost', refusal('refused')],
      2,
      { state: 'unknown' },
    ],
  ])('the message %s, and is there once', async (_, answers, sends, end) => {
    const { store, engine, messenger, pass, there, given } = await openRecognising(...answers);
    await store.add([first]);
    engine({ discord: messenger });

    await pass(5 * MINUTE_MS);

    expect([there, given.length]).toEqual([[first.id], sends]);
    expect(await store.byId(first.id)).toMatchObject(end);
  });

  test('meanwhile nothing takes its place: no newer alert of its thread, no list, no withdrawal', async () => {
    const { store, engine, messenger, pass, there } = await openRecognising('lost');
    await store.add([first]);
    engine({ discord: messenger });
    await pass(500);

    expect(await store.makeUpdate(first.id)).toBe(false);
    expect(await store.withdraw(first.id, START)).toBe(false);
    expect(await store.giveUp(first.id, { state: 'folded', error: null, at: START })).toBe(false);
    await store.add([second]);
    await pass(MINUTE_MS);

    expect(there).toEqual([first.id]);
    expect(await store.byId(second.id)).toMatchObject({ kind: 'alert_update', state: 'sent' });
  });
});

test('a post that is sent again shows the newer alert that it showed the first time', async () => {
  const { store, engine, messenger, pass, there } = await openRecognising(UNKNOWN);
  const posts = [postOf(1, { channel: 'discord' }), postOf(2, { channel: 'discord', threadId: 1 })];
  await store.add(posts);
  const present = async ({ facts }: ChatMessage) => ('alertId' in facts ? `alert ${facts.alertId}` : null);
  engine({ discord: messenger }, { present });

  await pass(MINUTE_MS);

  expect(there).toEqual(['alert 2']);
});

describe('a process that dies between claim and answer', () => {
  test('has the mark of a message to a person made again', async () => {
    const fixture = await openChatEngineFixture();
    const { messenger, calls } = scriptedMessenger();
    const { store } = fixture;
    const told = personalOf(1, 'cus_a');
    const { platform, isRealtime } = told.facts;
    const about = { alertId: 1, threadId: 1, marketId: '0xm1', platform, isRealtime };
    const mark = { id: 'mark', recipient: 'customer:cus_a', kind: 'personal_mark' } as const;
    const times = { createdAt: START, dueAt: START };
    await store.add([told, { ...mark, ...times, facts: { ...about, alertMessageId: told.id, seq: 1 } }]);
    const dead = { owner: 'dead#1', at: START };
    for (const { id } of [told, mark]) await store.claim(id, dead);
    await store.finish(told.id, dead.owner, { state: 'sent', place: 'm1', at: START });
    fixture.engine({ telegram: messenger }, { choice: choiceOf() });

    await fixture.pass(MINUTE_MS);

    expect(calls.map(({ how, where }) => `${how} ${where}`)).toEqual(['edit m1']);
  });

  test('is waited for until it cannot be sending any more: then the outcome is unknown, and nothing is sent again', async () => {
    const fixture = await openChatEngineFixture();
    await fixture.store.add([noteFor('customer:cus_a')]);
    await fixture.store.claim(NOTE, { owner: 'elsewhere#1', at: START });
    const { messenger, calls } = scriptedMessenger();
    fixture.engine({ telegram: messenger }, { customers: CUSTOMERS });

    await fixture.pass(MINUTE_MS / 2);
    expect(await fixture.stateOf(NOTE)).toBe('sending');
    await fixture.pass(MINUTE_MS / 2);

    expect(calls).toEqual([]);
    expect(await fixture.stateOf(NOTE)).toBe('unknown');
  });
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
