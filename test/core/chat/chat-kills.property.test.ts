import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CHANNELS,
  type ChatMessage,
  type ChatState,
  type NewChatMessage,
} from '../../../src/core/chat/chat-message.ts';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import { fakeCustomers, handleOn, openChatEngineFixture } from '../../support/chat/chat-engine-fixture.ts';
import { createKeptPlatforms, type PlatformAnswer } from '../../support/chat/kept-platform.ts';
import {
  killsWithin,
  passUntilIdle,
  startLives,
  storeFaultsWithin,
  unsteady,
} from '../../support/chat/killable-process.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';

const CUSTOMERS = { cus_a: handleOn('telegram', 'ann'), cus_b: handleOn('discord', 'bob') };
const RESULT: NewChatMessage = {
  id: 'result:1:1@telegram',
  recipient: 'channel:telegram',
  kind: 'alert_result',
  facts: { alertId: 1, threadId: 1 },
  createdAt: START + 20_000,
  dueAt: START + 20_000,
};

/** Posts of five alerts and a sixth that is not worth one, the seconds after which each is due, a result, and a note on each platform. */
function messagesOf(dues: readonly number[], isOneThread: boolean): readonly NewChatMessage[] {
  const times = dues.toSorted((a, b) => a - b).map((seconds) => START + seconds * 1_000);
  const post = (id: number, threadId: number, channel: 'telegram' | 'discord' = 'telegram') =>
    postOf(id, {
      channel,
      threadId: isOneThread && channel === 'telegram' ? 1 : threadId,
      dueAt: times[id - 1] ?? START,
    });
  const onDiscord = [post(4, 4, 'discord'), post(5, 4, 'discord')];
  const notes = [noteFor('customer:cus_a'), noteFor('customer:cus_b')];
  const update = { ...post(6, 1), kind: 'alert_update' } as NewChatMessage;
  return [post(1, 1), post(2, 2), post(3, 1), ...onDiscord, update, RESULT, ...notes];
}

const answers = fc.array(
  fc.constantFrom<PlatformAnswer>(
    ...(['ok', 'ok', 'ok', 'done 500', 'lost'] as const),
    ...(['later', 'much later', 'refused', 'gone', 'cannot edit'] as const),
  ),
  { maxLength: 12 },
);
const dues = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 6, maxLength: 6 });

/** The id, and of a post the alert that it shows. */
async function textOf({ id, kind, facts }: ChatMessage): Promise<string> {
  return kind.startsWith('alert') && 'alertId' in facts ? `${id} ${facts.alertId}` : id;
}
const idIn = (text: string) => text.split(' ')[0] as string;
const ENDED: readonly ChatState[] = ['sent', 'dropped'];

onEachDatabase('a process that is killed at any call of a store or a platform', (databases) => {
  test('each message is there at most once, each that is not known to be there has its reason, and the post of a thread shows its newest alert', async () => {
    await fc.assert(
      fc.asyncProperty(
        killsWithin(45),
        storeFaultsWithin(20),
        answers,
        dues,
        fc.boolean(),
        async (plan, faults, script, waits, isOneThread) => {
          const fixture = await openChatEngineFixture(await databases.fresh());
          const { clock, store } = fixture;
          const platforms = createKeptPlatforms(clock, script);
          const messages = messagesOf(waits, isOneThread);
          const engines: { close(): Promise<void> }[] = [];
          const unsteadyStore = unsteady(store, ['claim', 'finish'], faults);
          await store.add(messages);

          startLives(plan, ({ owner, wrap }) => {
            const engine = fixture.engine(platforms.messengers(wrap), {
              ...{ owner, closes: false, store: wrap(unsteadyStore), present: textOf },
              customers: fakeCustomers(CUSTOMERS),
            });
            engines.push(engine);
          });
          await passUntilIdle(fixture);
          const closing = Promise.all(engines.map((engine) => engine.close()));
          await fixture.pass(6_000);
          await closing;

          const there = platforms.there().map(idIn);
          expect(new Set(there).size).toBe(there.length);
          for (const { id, recipient } of messages) {
            const { kind, state, error, unsureSince } = (await store.byId(id)) ?? expect.fail(id);
            expect([id, state]).not.toEqual([id, 'sending']);
            expect([id, state]).not.toEqual([id, 'pending']);
            if (there.includes(id)) expect([id, ['sent', 'unknown'].includes(state)]).toEqual([id, true]);
            if (state !== 'sent') expect([id, error]).toEqual([id, expect.stringMatching(/./)]);
            if (state === 'unknown') expect(unsureSince).toBeGreaterThanOrEqual(START);
            // An edit is repeated, so that its end is always known; an answer instead of it is not.
            const isEdit = kind === 'alert_update' || kind === 'alert_result';
            if (isEdit && !script.some((answer) => answer === 'cannot edit' || answer === 'refused'))
              expect([id, state]).not.toEqual([id, 'unknown']);
            // Discord recognises what is sent again, so that only its answers make an outcome unknown.
            const isOnDiscord = recipient === 'channel:discord' || recipient === 'customer:cus_b';
            if (isOnDiscord && script.every((answer) => answer === 'ok'))
              expect([id, state]).not.toEqual([id, 'unknown']);
          }
          const listed = new Set((await store.unknown(0, 100)).map(({ id }) => id));
          expect(listed.size).toBe((await store.counts(0)).unknown);
          for (const channel of CHANNELS) await expectNewest(store, channel, platforms[channel].shown);
        },
      ),
      {
        // On MongoDB a run takes ten times as long. The seed, another one each time, is printed when a run fails.
        numRuns: databases.database.kind === 'sqlite' ? 25 : 4,
        // An edit that fails again and again ends only after more than four minutes.
        examples: [[[], [], ['ok', ...Array(8).fill('later')], [0, 0, 17, 0, 0, 0], true]],
      },
    );
  }, 240_000);
});

/** Of a thread one post at most is known to stand; it, or the last answer to it, shows the newest alert if every change arrived. */
async function expectNewest(
  store: ChatStore,
  channel: (typeof CHANNELS)[number],
  shown: ReadonlyMap<string, string>,
): Promise<void> {
  for (const threadId of [1, 2, 4]) {
    const rows = await store.postsOfThread({ channel, threadId });
    const standing = rows.filter(({ kind, state }) => kind === 'alert' && state === 'sent');
    expect(standing.length).toBeLessThanOrEqual(1);
    if (!rows.every(({ state }) => ENDED.includes(state))) continue;
    const newest = Math.max(...rows.map(({ facts }) => facts.alertId));
    for (const { place } of standing) expect(shown.get(place ?? '')?.split(' ')[1]).toBe(String(newest));
  }
}
