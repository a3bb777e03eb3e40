import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../bots/telegram/pacer.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';

const SIGNAL = new AbortController().signal;

/** The times at which the chats were served; refused calls retry after the wait they were given. */
async function turnsOf(chats: readonly string[]) {
  const clock = createFakeClock(START);
  const pacer = new Pacer(clock);
  const turns: { chat: string; at: number }[] = [];
  const all = chats.map(async (chat) => {
    for (let waitMs = 1; waitMs > 0; ) {
      waitMs = await pacer.acquire(chat, SIGNAL);
      if (waitMs > 0) await clock.sleep(waitMs);
    }
    turns.push({ chat, at: clock.now() - START });
  });
  await new Promise((resolve) => setImmediate(resolve));
  while (turns.length < chats.length) await clock.advance(1_000);
  await Promise.all(all);
  return turns;
}

function mostWithin(windowMs: number, times: readonly number[]): number {
  return Math.max(
    0,
    ...times.map((at) => times.filter((other) => other >= at && other < at + windowMs).length),
  );
}

describe('pace of Telegram', () => {
  test('one message a second in a chat, 20 a minute in a group, 30 a second in all, in every window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('1', '2', '3', '-4', '@five'), { maxLength: 40 }),
        async (chats) => {
          const turns = await turnsOf(chats);
          expect(
            mostWithin(
              1_000,
              turns.map(({ at }) => at),
            ),
          ).toBeLessThanOrEqual(30);
          for (const chat of new Set(chats)) {
            const times = turns.filter((turn) => turn.chat === chat).map(({ at }) => at);
            expect(mostWithin(1_000, times)).toBeLessThanOrEqual(1);
            if (/^[-@]/.test(chat)) expect(mostWithin(60_000, times)).toBeLessThanOrEqual(20);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test('100 people are written to within 4 seconds, 25 in each', async () => {
    const turns = await turnsOf(Array.from({ length: 100 }, (_, index) => String(index + 1)));
    expect(Math.max(...turns.map(({ at }) => at))).toBe(3_000);
    expect(
      mostWithin(
        1_000,
        turns.map(({ at }) => at),
      ),
    ).toBe(25);
  });

  test.each(['-100', '@channel'])(
    'the 21st message to the group %s comes a minute after the first',
    async (group) => {
      const turns = await turnsOf(Array.from({ length: 21 }, () => group));
      expect(turns.map(({ at }) => at)).toEqual([
        ...Array.from({ length: 20 }, (_, index) => index * 1_000),
        60_000,
      ]);
    },
  );

  test('a call that would wait longer than 5 seconds is refused with the wait, and uses no slot', async () => {
    const clock = createFakeClock(START);
    const pacer = new Pacer(clock);
    pacer.pauseFor('1', 6_000);
    expect(await pacer.acquire('1', SIGNAL)).toBe(6_000);
    await clock.advance(6_000);
    expect(await pacer.acquire('1', SIGNAL)).toBe(0);
  });

  test('an abort ends the wait', async () => {
    const clock = createFakeClock(START);
    const pacer = new Pacer(clock);
    await pacer.acquire('1', SIGNAL);
    const abort = new AbortController();
    const turn = pacer.acquire('1', abort.signal);
    abort.abort();
    expect(await turn).toBeGreaterThan(0);
    expect(clock.sleepers).toBe(0);
  });
});
