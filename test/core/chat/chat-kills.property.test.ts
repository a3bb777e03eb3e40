import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage, NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import {
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  settle,
} from '../../support/chat/chat-engine-fixture.ts';
import { createKeptPlatform, type PlatformAnswer } from '../../support/chat/kept-platform.ts';
import { createKillableProcess } from '../../support/chat/killable-process.ts';
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

/** Store calls, and both ends of the calls of platforms, count together. */
const kills = fc.array(fc.record({ after: fc.integer({ min: 1, max: 45 }), isLastDone: fc.boolean() }), {
  maxLength: 3,
});
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
      fc.asyncProperty(kills, answers, async (plan, script) => {
        const fixture = await openChatEngineFixture(await given.fresh());
        const left = [...script];
        const answer = () => left.shift() ?? 'ok';
        const platforms = {
          telegram: createKeptPlatform({ clock: fixture.clock, answer, deduplicatesForMs: 0 }),
          discord: createKeptPlatform({ clock: fixture.clock, answer, deduplicatesForMs: 2 * MINUTE_MS }),
        };
        const dead = new Set<string>();
        const engines: { close(): Promise<void> }[] = [];
        let lives = 0;
        const live = () => {
          const owner = `life ${lives}`;
          const kill = plan[lives] ?? null;
          lives += 1;
          const process = createKillableProcess(kill, () => {
            dead.add(owner);
            live();
          });
          const { telegram, discord } = platforms;
          const engine = fixture.engine(
            { telegram: process.wrap(telegram.messenger), discord: process.wrap(discord.messenger) },
            {
              owner,
              closes: false,
              store: process.wrap(fixture.store),
              customers: fakeCustomers(CUSTOMERS),
              isGone: (other) => dead.has(other),
              present: async ({ id }: ChatMessage) => id,
            },
          );
          engines.push(engine);
        };
        await fixture.store.add(MESSAGES);

        live();
        await passUntilEnded(fixture);
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

/** Lets time pass until nothing waits any more. A database may be slower than the clock. */
async function passUntilEnded({
  store,
  pass,
}: Awaited<ReturnType<typeof openChatEngineFixture>>): Promise<void> {
  for (let passed = 0; passed < 6 * HOUR_MS; passed += MINUTE_MS) {
    await pass(MINUTE_MS, 5_000);
    await settle();
    // Twice: a count of MongoDB may miss a message whose state changes meanwhile.
    const left = [await store.counts(0), await store.counts(0)];
    if (left.every(({ pending, sending }) => pending + sending === 0)) return;
  }
}
