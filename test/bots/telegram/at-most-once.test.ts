import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage, NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { fakeCustomers, handleOn } from '../../support/chat/chat-engine-fixture.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { openOutbox } from '../../support/chat/open-outbox.ts';
import type { Fault } from '../../support/chat/telegram-wire.ts';
import { START } from '../../support/rows.ts';
import { CHANNEL, openTelegramFixture, page } from './telegram-fixture.ts';

const POST = 'alert:1@telegram';
const NOTE = 'note:customer:cus_a';
const RESULT: NewChatMessage = {
  id: 'result:1:1@telegram',
  recipient: 'channel:telegram',
  kind: 'alert_result',
  facts: { alertId: 1, threadId: 1 },
  createdAt: START,
  dueAt: START,
};
const refused = (code: number, description: string): Fault => ({ code, description });

/** The outbox with the Telegram messenger, over a fake of the Bot API. */
async function openTelegramOutbox() {
  const { telegram, bot, clock } = await openTelegramFixture();
  telegram.meet(11);
  const customers = fakeCustomers({ cus_a: [{ ...handleOn('telegram', '11'), chat: '11' }] });
  const outbox = await openOutbox(
    { telegram: bot.messenger },
    { clock, customers, present: async ({ id }: ChatMessage) => page(id) },
  );
  const sends = () => telegram.calls.filter(({ method }) => method === 'sendMessage');
  return { telegram, sends, ...outbox };
}

const MAYBE_SENT: readonly (readonly [string, Fault])[] = [
  [
    'Telegram answers 500 after it has posted',
    { code: 500, description: 'Internal Server Error', isDone: true },
  ],
  ['a proxy answers 504 with a page', { code: 504, html: '<html>504 Gateway Time-out</html>', isDone: true }],
  ['Telegram closes the connection after it has posted', 'drop'],
];

describe('what may have been sent is not sent again, and is listed as unknown', () => {
  test.each(MAYBE_SENT)('a post when %s', async (_, fault) => {
    const { telegram, store, start, clock, sends, reaches } = await openTelegramOutbox();
    telegram.fail('sendMessage', fault);
    await store.add([postOf(1)]);

    start();
    await reaches(POST, 'unknown');
    await clock.advance(HOUR_MS);

    expect(sends()).toHaveLength(1);
    expect(telegram.messages(CHANNEL)).toHaveLength(1);
    expect(await store.unknown(10)).toMatchObject([{ id: POST, unsureSince: expect.any(Number) }]);
  });

  test.each(MAYBE_SENT)('a message to a person when %s', async (_, fault) => {
    const { telegram, store, start, clock, sends, reaches } = await openTelegramOutbox();
    telegram.fail('sendMessage', fault);
    await store.add([noteFor('customer:cus_a')]);

    start();
    await reaches(NOTE, 'unknown');
    await clock.advance(HOUR_MS);

    expect(sends()).toHaveLength(1);
    expect(telegram.messages('11')).toHaveLength(1);
  });
});

test('a bot that is put out of the channel for a while posts what was due, once it is back', async () => {
  const { telegram, store, start, reaches } = await openTelegramOutbox();
  telegram.fail('sendMessage', refused(403, 'Forbidden: bot is not a member of the channel chat'));
  await store.add([postOf(1), postOf(2)]);

  start();
  await reaches(POST, 'sent');
  await reaches('alert:2@telegram', 'sent');

  expect(telegram.messages(CHANNEL)).toHaveLength(2);
});

test('a result whose post “can’t be edited” is shown in an answer to it', async () => {
  const { telegram, store, start, reaches } = await openTelegramOutbox();
  telegram.fail('editMessageText', refused(400, "Bad Request: message can't be edited"));
  await store.add([postOf(1)]);
  start();
  await reaches(POST, 'sent');
  await store.add([RESULT]);

  await reaches(RESULT.id, 'sent');

  expect(telegram.messages(CHANNEL)).toMatchObject([{ text: POST }, { text: RESULT.id, replyTo: 1 }]);
});

test('a result whose post was deleted is dropped with that reason, which the operator sees', async () => {
  const { telegram, store, start, reaches } = await openTelegramOutbox();
  telegram.fail('editMessageText', refused(400, 'Bad Request: message to edit not found'));
  await store.add([postOf(1)]);
  start();
  await reaches(POST, 'sent');
  await store.add([RESULT]);

  await reaches(RESULT.id, 'dropped');

  const givenUp = await store.givenUp({ since: START, limit: 10 });
  expect(givenUp.map(({ id, error }) => [id, error])).toContainEqual([RESULT.id, 'the post is gone']);
});
