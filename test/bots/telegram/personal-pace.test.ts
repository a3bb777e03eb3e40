import { expect, test } from 'vitest';
import { Pacer } from '../../../bots/telegram/pacer.ts';
import type { MessageRank, Messenger, SendResult } from '../../../src/core/chat/messenger.ts';
import { choiceOf, openChatEngineFixture } from '../../support/chat/chat-engine-fixture.ts';
import { personalOf, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';

/** What a call to Telegram takes. */
const CALL_MS = 100;
const SIGNAL = new AbortController().signal;

/** An engine with Telegram's pace. A step of the clock is 20 ms. */
async function openPaced() {
  const fixture = await openChatEngineFixture();
  const { clock } = fixture;
  const pacer = new Pacer({ clock, random: () => 0 });
  const sent: { view: string; afterMs: number }[] = [];
  const answered: number[] = [];
  const messengerOf = (rank?: MessageRank): Messenger<string> => {
    const send = async (chat: string, view: string, signal: AbortSignal): Promise<SendResult> => {
      const refusal = await pacer.post({ chat, rank }, signal);
      if (refusal !== null) return { ok: false, reason: 'later', ...refusal, detail: 'pace' };
      await clock.sleep(CALL_MS);
      sent.push({ view, afterMs: clock.now() - START });
      return { ok: true, place: view };
    };
    return {
      ranked: messengerOf,
      send: (to, view, signal) => send(to === 'channel' ? '@channel' : to.chat, view, signal),
      edit: async (place) => ({ ok: true, place }),
      reply: (place, view, signal) => send(place, view, signal),
      remove: async (place) => ({ ok: true, place }),
    };
  };
  const telegram = messengerOf();
  const engine = fixture.engine({ telegram }, { closes: false, choice: choiceOf() });
  return {
    ...{ ...fixture, engine, sent, answered },
    /** Time stands still unless it is moved. */
    async close() {
      const closing = engine.close();
      await fixture.pass(6_000, 500);
      await closing;
    },
    /** Answers a command of another person, and notes how long that took. */
    async answer(order: number) {
      const from = clock.now();
      await pacer.answer({ chat: `asks ${order}`, order, isNew: true }, SIGNAL);
      answered.push(clock.now() - from);
    },
  };
}

const alertsTo = (count: number, isRealtime = true) =>
  Array.from({ length: count }, (_, index) => personalOf(1, `cus_${index}`, { isRealtime }));

test('the last of 20 messages of one second leaves within 5 seconds', async () => {
  const { store, engine, sent, pass, close } = await openPaced();
  await store.add(alertsTo(20));
  engine.wake();

  await pass(5_000, 20);

  expect(sent).toHaveLength(20);
  expect(sent.at(-1)?.afterMs).toBeLessThan(5_000);
  await close();
});

test('while 10,000 messages are due, answers take less than 2 seconds, a channel has its share, and real time goes first', async () => {
  const { store, engine, sent, answered, answer, pass, close } = await openPaced();
  const later = alertsTo(10_000, false);
  for (let from = 0; from < later.length; from += 500) await store.add(later.slice(from, from + 500));
  engine.wake();
  await pass(2_000, 20);
  await store.add([postOf(1), personalOf(2, 'cus_pro', { dueAt: START + 2_000 })]);
  engine.wake();

  for (let order = 1; order <= 40; order += 1) {
    void answer(order);
    await pass(200, 20);
  }
  await pass(2_000, 20);

  expect(answered).toHaveLength(40);
  expect(Math.max(...answered)).toBeLessThan(2_000);
  const after = (view: string) => sent.find((one) => one.view === view)?.afterMs;
  expect(after('alert:1@telegram')).toBeLessThan(4_000);
  expect(after('personal:2@cus_pro')).toBeLessThan(4_000);
  expect(sent.length).toBeGreaterThan(100);
  await close();
});
