import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import { fakeCustomers, handleOn, openChatEngineFixture } from '../../support/chat/chat-engine-fixture.ts';
import { createKeptPlatform, type PlatformAnswer } from '../../support/chat/kept-platform.ts';
import { killsWithin, passUntilIdle, startLives } from '../../support/chat/killable-process.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';

const CUSTOMERS = { cus_a: [handleOn('telegram', 'ann')], cus_b: [handleOn('discord', 'bob')] };
const RESULT: NewChatMessage = {
  id: 'result:1:1@telegram',
  recipient: 'channel:telegram',
  kind: 'alert_result',
  facts: { alertId: 1, threadId: 1 },
  createdAt: START + 20_000,
  dueAt: START + 20_000,
};
const MESSAGES: readonly NewChatMessage[] = [
  postOf(1),
  postOf(2),
  postOf(3, { threadId: 1, dueAt: START + 10_000 }),
  postOf(4, { channel: 'discord' }),
  postOf(5, { channel: 'discord', threadId: 4, dueAt: START + 5_000 }),
  RESULT,
  noteFor('customer:cus_a'),
  noteFor('customer:cus_b'),
];

const answers = fc.array(
  fc.constantFrom<PlatformAnswer>(
    'ok',
    'ok',
    'ok',
    'done 500',
    'lost',
    'later',
    'much later',
    'refused',
    'gone',
    'cannot edit',
  ),
  { maxLength: 10 },
);

onEachDatabase('a process that is killed at any call of a store or a platform', (given) => {
  test('each message is there at most once, and each that is not known to be there has its reason', async () => {
    await fc.assert(
      fc.asyncProperty(killsWithin(45), answers, async (plan, script) => {
        const fixture = await openChatEngineFixture(await given.fresh());
        const left = [...script];
        const answer = () => left.shift() ?? 'ok';
        const platforms = {
          telegram: createKeptPlatform({ clock: fixture.clock, answer, deduplicatesForMs: 0 }),
          discord: createKeptPlatform({ clock: fixture.clock, answer, deduplicatesForMs: 2 * MINUTE_MS }),
        };
        const engines: { close(): Promise<void> }[] = [];
        await fixture.store.add(MESSAGES);

        startLives(plan, ({ owner, wrap, isGone }) => {
          const { telegram, discord } = platforms;
          const engine = fixture.engine(
            { telegram: wrap(telegram.messenger), discord: wrap(discord.messenger) },
            {
              ...{ owner, closes: false, store: wrap(fixture.store), isGone },
              customers: fakeCustomers(CUSTOMERS),
            },
          );
          engines.push(engine);
        });
        await passUntilIdle(fixture);
        const closing = Promise.all(engines.map((engine) => engine.close()));
        await fixture.pass(6_000);
        await closing;

        const there = [...platforms.telegram.there, ...platforms.discord.there];
        expect(new Set(there).size).toBe(there.length);
        for (const { id } of MESSAGES) {
          const { state, error, unsureSince } = (await fixture.store.byId(id)) ?? expect.fail(id);
          expect([id, state]).not.toEqual([id, 'sending']);
          expect([id, state]).not.toEqual([id, 'pending']);
          if (there.includes(id)) expect([id, ['sent', 'unknown'].includes(state)]).toEqual([id, true]);
          if (state !== 'sent') expect([id, error]).toEqual([id, expect.stringMatching(/./)]);
          if (state === 'unknown') expect(unsureSince).toBeGreaterThanOrEqual(START);
        }
        const listed = new Set((await fixture.store.unknown(100)).map(({ id }) => id));
        const { unknown } = await fixture.store.counts(0);
        expect(listed.size).toBe(unknown);
      }),
      // On MongoDB a run takes ten times as long. The seed, another one each time, is printed when a run fails.
      { numRuns: given.database.kind === 'sqlite' ? 30 : 8 },
    );
  }, 240_000);
});
