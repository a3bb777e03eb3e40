import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { SendResult } from '../../../src/core/chat/messenger.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { openChatEngineFixture } from '../../support/chat/chat-engine-fixture.ts';
import { postOf } from '../../support/chat/messages.ts';
import { scriptedMessenger } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const results = fc.constantFrom<SendResult | 'throws' | 'ok' | 'dies'>(
  'ok',
  'throws',
  'dies',
  { ok: false, reason: 'later', retryAfterMs: 3_000, detail: '429' },
  { ok: false, reason: 'unknown', retryAfterMs: 0, detail: 'timeout' },
  { ok: false, reason: 'gone', detail: 'no' },
);

test('whatever happens, no post arrives twice, none is left lying, and of a thread one is known to stand, which shows the newest alert in the end', async () => {
  const alertIds = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
  const dues = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 9, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(results, { maxLength: 12 }),
      alertIds,
      dues,
      fc.boolean(),
      async (script, ids, waits, isOneThread) => {
        const database = await openDatabase('sqlite::memory:');
        const fixture = await openChatEngineFixture(database);
        const left = [...script];
        const shown = new Map<string, string | null>();
        const sent: (string | null)[] = [];
        const gone = new Set<string>();
        const engines: { close(): Promise<void> }[] = [];
        const { messenger, calls } = scriptedMessenger(({ how, where, view }) => {
          const next = left.shift() ?? 'ok';
          // Of what is unknown the worst: a post has arrived, an edit has not.
          const isUnknown = typeof next === 'string' || next.ok || next.reason === 'unknown';
          if (how === 'send' && isUnknown) sent.push(view);
          if (next === 'ok') shown.set(how === 'send' ? `m${calls.length}` : where, view);
          if (next === 'throws') throw new Error('a fault');
          if (next !== 'dies') return next === 'ok' ? undefined : next;
          restart();
          return new Promise<never>(() => {});
        });
        const restart = () => {
          const owner = `life ${engines.length}`;
          if (engines.length > 0) gone.add(`life ${engines.length - 1}`);
          const present = async ({ facts }: ChatMessage) => ('alertId' in facts ? `${facts.alertId}` : null);
          const options = { closes: false, owner, present, isGone: (name: string) => gone.has(name) };
          engines.push(fixture.engine({ telegram: messenger }, options));
        };
        const dueTimes = ids.toSorted((a, b) => a - b);
        const threadOf = (id: number) => (isOneThread ? 1 : id);
        const times = waits.slice(0, ids.length).toSorted((a, b) => a - b);

        restart();
        for (const [index, id] of dueTimes.entries())
          await fixture.store.add([
            postOf(id, { threadId: threadOf(id), dueAt: START + (times[index] ?? 0) * 1_000 }),
          ]);
        await passUntilEnded(fixture);
        const closing = Promise.all(engines.map((engine) => engine.close()));
        await fixture.pass(6_000);
        await closing;

        expect(new Set(sent).size).toBe(sent.length);
        expect(await fixture.store.counts(0)).toMatchObject({ pending: 0, sending: 0 });
        for (const threadId of new Set(dueTimes.map(threadOf))) {
          const rows = await fixture.store.postsOfThread({ channel: 'telegram', threadId });
          const standing = rows.filter(({ kind, state }) => kind === 'alert' && state === 'sent');
          expect(standing.length).toBeLessThanOrEqual(1);
          const newest = dueTimes.findLast((id) => threadOf(id) === threadId);
          for (const { place } of standing) expect(shown.get(place ?? '')).toBe(String(newest));
        }
        await database.close();
      },
    ),
    // The edit that fails again and again ends only after more than four minutes.
    {
      numRuns: 60,
      examples: [[['ok', ...Array(8).fill('throws')], [1, 2], [0, 17, 0, 0, 0, 0, 0, 0, 0], true]],
    },
  );
}, 60_000);

/** Lets time pass until nothing waits any more: what fails again and again is tried again minutes later. */
async function passUntilEnded({
  store,
  pass,
}: Awaited<ReturnType<typeof openChatEngineFixture>>): Promise<void> {
  for (let passed = 0; passed < HOUR_MS; passed += MINUTE_MS) {
    await pass(MINUTE_MS, 3_000);
    const { pending, sending } = await store.counts(0);
    if (pending + sending === 0) return;
  }
}
