import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../bots/telegram/pacer.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { MessageRank } from '../../../src/core/chat/messenger.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';

const SIGNAL = new AbortController().signal;

function openPacer({ timersLateByMs = 0 } = {}) {
  const clock = createFakeClock(START);
  const { now } = clock;
  const sleep: Clock['sleep'] = (ms, signal) => clock.sleep(ms + timersLateByMs, signal);
  const pacer = new Pacer({ clock: { now, sleep } });
  const sent: { chat: string; at: number; kind: 'post' | 'answer' }[] = [];
  const note = (chat: string, kind: 'post' | 'answer') =>
    void sent.push({ chat, at: clock.now() - START, kind });
  return {
    ...{ clock, pacer, sent },
    async answer(chat: string, order: number, isNew = true) {
      await pacer.answer({ chat, order, isNew }, SIGNAL);
      note(chat, 'answer');
    },
    /** Refused posts are tried again after the wait that they were given. */
    async post(chat: string, rank: MessageRank = 'channel') {
      for (
        let refusal = await pacer.post(chat, rank, SIGNAL);
        refusal !== null;
        refusal = await pacer.post(chat, rank, SIGNAL)
      )
        await clock.sleep(refusal.retryAfterMs);
      note(chat, 'post');
    },
    async until(count: number) {
      await new Promise((resolve) => setImmediate(resolve));
      while (sent.length < count) await clock.advance(1_000);
    },
  };
}

const CHATS = fc.constantFrom('1', '2', '3', '-4', '@five');

function mostWithin(windowMs: number, sent: readonly { readonly at: number }[]): number {
  const within = ({ at }: { at: number }) =>
    sent.filter((other) => other.at >= at && other.at < at + windowMs).length;
  return Math.max(0, ...sent.map(within));
}

describe('pace of Telegram', () => {
  test('one message a second in a chat, 20 a minute in a group, 30 a second in all, in every window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(CHATS, { maxLength: 40 }),
        fc.array(CHATS, { maxLength: 40 }),
        async (posts, answers) => {
          const { post, answer, until, sent } = openPacer();
          const all = [
            ...posts.map((chat) => post(chat)),
            ...answers.map((chat, index) => answer(chat, index)),
          ];
          await until(all.length);
          expect(mostWithin(1_000, sent)).toBeLessThanOrEqual(30);
          for (const chat of new Set(sent.map((message) => message.chat))) {
            const own = sent.filter((message) => message.chat === chat);
            expect(mostWithin(1_000, own)).toBeLessThanOrEqual(1);
            if (/^[-@]/.test(chat)) expect(mostWithin(60_000, own)).toBeLessThanOrEqual(20);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each([0, 50])(
    '1,000 answers are sent within 40 seconds, oldest first, at most 29 in a second, when every timer is %i ms late',
    async (timersLateByMs) => {
      const { answer, until, sent } = openPacer({ timersLateByMs });
      for (let person = 1; person <= 1_000; person++) void answer(String(person), person);
      await until(1_000);
      expect(sent.map(({ chat }) => Number(chat))).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1));
      expect(sent.at(-1)?.at).toBeLessThan(timersLateByMs === 0 ? 38_000 : 40_000);
      expect(mostWithin(1_000, sent)).toBeLessThanOrEqual(29);
    },
  );

  test('while answers wait, one message of ten is a post', async () => {
    const { answer, post, until, sent } = openPacer();
    for (let person = 1; person <= 270; person++) void answer(String(person), person);
    for (let person = 1; person <= 60; person++) void post(String(-person));
    await until(330);
    const last = sent.findLast(({ kind }) => kind === 'answer')?.at ?? 0;
    const beside = sent.filter(({ kind, at }) => kind === 'post' && at <= last);
    expect(last).toBeLessThan(12_000);
    expect(mostWithin(1_000, beside)).toBe(3);
    expect(beside).toHaveLength(29);
  });

  test('an answer that waits for its own chat, where only one a second may go, slows no post', async () => {
    const { post, answer, until, sent } = openPacer();
    for (let order = 0; order < 5; order += 1) void answer('7', order);
    for (let count = 0; count < 100; count += 1) void post(`${100 + count}`);
    await until(105);
    const posts = sent.filter(({ kind }) => kind === 'post');
    expect(posts.at(-1)?.at).toBeLessThan(5_000);
    expect(sent.filter(({ kind }) => kind === 'answer').at(-1)?.at).toBeLessThan(5_000);
  });

  test('posts go by rank: channels, people in real time, people at the free delay, each after ten seconds at most', async () => {
    const { clock, post, until, sent } = openPacer();
    for (let person = 1; person <= 100; person++) void post(`later ${person}`, 'later');
    for (let person = 1; person <= 100; person++) void post(`first ${person}`, 'first');
    void post('-1', 'channel');
    await until(50);
    const ranks = () => sent.map(({ chat }) => chat.split(' ')[0]);
    // The first two found nobody waiting.
    expect(ranks().slice(0, 50)).toEqual(['later', 'later', '-1', ...Array<string>(47).fill('first')]);

    await until(201);
    await clock.advance(60_000);
    for (let person = 101; person <= 110; person++) void post(`later ${person}`, 'later');
    for (let person = 101; person <= 600; person++) {
      void post(`first ${person}`, 'first');
      await clock.advance(37);
    }
    await until(711);
    const [start, waited] = [sent[201]?.at ?? 0, sent.find(({ chat }) => chat === 'later 110')?.at ?? 0];
    expect(waited - start).toBeGreaterThan(9_000);
    expect(waited - start).toBeLessThan(12_000);
  });

  test('a chat that has to wait lets others pass, and keeps its place in the order', async () => {
    const { pacer, answer, until, sent } = openPacer();
    pacer.refused('1', 2_000);
    for (let person = 1; person <= 100; person++) void answer(String(person), person);
    await until(100);
    const [first] = sent.filter(({ chat }) => chat === '1');
    expect(first?.at).toBeGreaterThanOrEqual(2_000);
    expect(first?.at).toBeLessThan(2_100);
    expect(sent.filter(({ at }) => at < 2_000)).toHaveLength(56);
  });

  test('edits are not limited in their chat', async () => {
    const { answer, until, sent } = openPacer();
    for (let tap = 0; tap < 5; tap++) void answer('1', tap, false);
    await until(5);
    expect(sent.at(-1)?.at).toBeLessThan(200);
  });
});

describe('a flood wait of Telegram', () => {
  test('of one chat rests that chat alone, and a post there is refused with the wait', async () => {
    const { clock, pacer } = openPacer();
    pacer.refused('1', 6_000);
    expect(await pacer.post('1', 'channel', SIGNAL)).toEqual({ retryAfterMs: 6_000, isChatOnly: true });
    expect(await pacer.post('2', 'channel', SIGNAL)).toBeNull();
    await clock.advance(6_000);
    expect(await pacer.post('1', 'channel', SIGNAL)).toBeNull();
  });

  test('of two chats within a second is the limit of the bot: all rest', async () => {
    const { clock, pacer } = openPacer();
    pacer.refused('1', 300_000);
    await clock.advance(900);
    pacer.refused('2', 6_000);
    expect(await pacer.post('3', 'channel', SIGNAL)).toEqual({ retryAfterMs: 6_000, isChatOnly: false });
    await clock.advance(6_000);
    expect(await pacer.post('3', 'channel', SIGNAL)).toBeNull();
    expect(await pacer.post('1', 'channel', SIGNAL)).toMatchObject({ isChatOnly: true });
  });

  test('of two chats more than a second apart, or of one chat twice, rests no other chat', async () => {
    const { clock, pacer } = openPacer();
    pacer.refused('1', 6_000);
    pacer.refused('1', 6_000);
    await clock.advance(1_000);
    pacer.refused('2', 6_000);
    expect(await pacer.post('3', 'channel', SIGNAL)).toBeNull();
  });
});

describe('a post that has to wait', () => {
  test('ends its wait when it is aborted, and so does an answer', async () => {
    const { clock, pacer } = openPacer();
    await pacer.post('1', 'channel', SIGNAL);
    const abort = new AbortController();
    const post = pacer.post('1', 'channel', abort.signal);
    const answer = pacer.answer({ chat: '1', order: 1, isNew: true }, abort.signal);
    abort.abort(new Error('the end'));
    expect(await post).toMatchObject({ isChatOnly: false });
    await expect(answer).rejects.toThrow('the end');
    expect(clock.sleepers).toBe(0);
  });
});
