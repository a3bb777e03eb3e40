import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage, NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import { PersonalChoices } from '../../../src/core/follow/personal-choices.ts';
import { PersonalLists } from '../../../src/core/follow/personal-lists.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import {
  fakeCustomers,
  handleOn,
  openChatEngineFixture,
  settle,
} from '../../support/chat/chat-engine-fixture.ts';
import { createKeptPlatforms, type PlatformAnswer } from '../../support/chat/kept-platform.ts';
import { killsWithin, passUntilIdle, startLives } from '../../support/chat/killable-process.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { followerOf, followOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/** There it is 19:00 ten minutes later. */
const ZONE = 'Etc/GMT+6';
const NOW = START + 50 * MINUTE_MS;
const PEOPLE = { cus_a: handleOn('telegram', 'ann'), cus_b: handleOn('discord', 'bob') };
const follows = [followOf('a1', { kind: 'filter', filter: {} })];
/** More than there are places for rules, so that some are listed. */
const ALERTS = 13;

const messages: readonly NewChatMessage[] = [
  ...Array.from({ length: ALERTS }, (_, index) =>
    personalOf(index + 1, 'cus_a', { score: 40 + index, isRealtime: false, dueAt: NOW + index * 20_000 }),
  ),
  personalOf(1, 'cus_b', { platform: 'discord', isRealtime: false, dueAt: NOW }),
  ...(['exit', 'mark'] as const).map((kind): NewChatMessage => {
    const about = {
      alertId: 1,
      threadId: 1,
      marketId: '0xm1',
      platform: 'telegram',
      isRealtime: false,
    } as const;
    const told = { ...about, alertMessageId: 'personal:1@cus_a', wallet: '0xaa', followIds: [] };
    const dueAt = NOW + 5 * MINUTE_MS;
    const times = { id: `p${kind}:1@cus_a`, recipient: 'customer:cus_a', createdAt: dueAt, dueAt } as const;
    return kind === 'exit'
      ? { ...times, kind: 'personal_exit', facts: { ...told, exit: 1 } }
      : { ...times, kind: 'personal_mark', facts: { ...told, seq: 1 } };
  }),
];

const answers = fc.array(
  fc.constantFrom<PlatformAnswer>('ok', 'ok', 'ok', 'done 500', 'lost', 'later', 'refused', 'gone'),
  { maxLength: 10 },
);

/** A list shows its alerts, with a question mark those that may have been sent before. */
async function textOf({ id, kind, facts }: ChatMessage): Promise<string> {
  if (kind !== 'personal_list') return id;
  return `${id} ${facts.listed?.alerts.map(({ alertId, isUnsure }) => `${alertId}${isUnsure ? '?' : ''}`).join(' ')}`;
}

onEachDatabase(
  'what people follow, with a process that is killed at any call of a store or a platform',
  (given) => {
    test('reaches nobody twice, and what did not is in a list that says which may have', async () => {
      await fc.assert(
        fc.asyncProperty(killsWithin(120), answers, async (plan, script) => {
          const database = await given.fresh();
          const fixture = await openChatEngineFixture(database);
          const { clock, store } = fixture;
          const platforms = createKeptPlatforms(clock, script);
          for (const [id, platform] of [
            ['cus_a', 'telegram'],
            ['cus_b', 'discord'],
          ] as const)
            await database.followers.put(followerOf(id, { follows, zone: ZONE, platform }));
          const closing: (() => Promise<void>)[] = [];
          await store.add(messages);
          clock.set(NOW - START);

          startLives(plan, ({ owner, wrap }) => {
            const [chat, followers] = [wrap(store), wrap(database.followers)];
            const customers = fakeCustomers(PEOPLE);
            const messengers = platforms.messengers(wrap);
            const { keys, alerts, hiddenWallets } = database;
            const choice = new PersonalChoices({
              ...{ chat, followers, customers, keys, alerts, hiddenWallets },
              ...{ clock, freeDelayMs: 0 },
            });
            const engine = fixture.engine(messengers, {
              ...{ owner, closes: false, store: chat, customers, present: textOf },
              choice,
            });
            const lists = new PersonalLists({
              yieldToLoop: setImmediate,
              chat,
              followers,
              clock,
              logger: silentLogger,
              wake: engine.wake,
            });
            lists.start();
            closing.push(
              () => engine.close(),
              () => lists.close(),
            );
          });
          await passUntilIdle(fixture, NOW + 14 * MINUTE_MS);
          const ended = Promise.all(closing.map((close) => close()));
          await Promise.race([ended, fixture.pass(6_000)]);

          const there = platforms.there().map((text) => text.split(' ')[0]);
          expect(new Set(there).size).toBe(there.length);
          const lists = platforms.telegram.there.filter((text) => text.startsWith('plist'));
          const listed = lists.flatMap((text) => text.split(' ').slice(1));
          expect(new Set(listed).size).toBe(listed.length);
          const next = await nextListOf(store);
          for (let alertId = 1; alertId <= ALERTS; alertId += 1) {
            const id = `personal:${alertId}@cus_a`;
            const { state, error } = (await store.byId(id)) ?? expect.fail(id);
            const isListed = [`${alertId}`, `${alertId}?`].map((text) => listed.includes(text));
            const isToldElsewhere = lists.length === 0 || next.has(id);
            const inList = isToldElsewhere ? [false, false] : [state === 'folded', state === 'unknown'];
            expect([id, ['sent', 'folded', 'unknown'].includes(state)]).toEqual([id, true]);
            expect([id, state, isListed]).toEqual([id, state, inList]);
            if (state === 'sent') expect([id, there.includes(id)]).toEqual([id, true]);
            if (state === 'folded')
              expect([id, there.includes(id), error === null]).toEqual([id, false, false]);
          }
          // An edit is repeated, so its end is always known.
          expect((await store.byId('pmark:1@cus_a'))?.state).not.toBe('unknown');
          const { pending, sending } = await store.counts(START);
          expect({ pending, sending }).toEqual({ pending: 0, sending: 0 });
          await settle();
        }),
        { numRuns: given.database.kind === 'sqlite' ? 5 : 2 },
      );
    }, 240_000);
  },
);

/** What the list after the last one will have. */
async function nextListOf(store: ChatStore): Promise<ReadonlySet<string>> {
  const recipient = 'customer:cus_a';
  const last = await store.lastList(recipient, NOW + 9 * HOUR_MS);
  const query = { recipient, after: last?.createdAt ?? 0, until: NOW + 9 * HOUR_MS } as const;
  return new Set((await store.unlisted(query)).map(({ id }) => id));
}
