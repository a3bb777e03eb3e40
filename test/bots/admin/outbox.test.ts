import { expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatChange } from '../../../src/core/chat/chat-store.ts';
import { end } from '../../infra/database/chat-store-fixture.ts';
import { alertOf } from '../../support/alerts.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { actionsOf, openConsoleFixture, wordsOfScreen } from './console-fixture.ts';

const NOTE = 'note:customer:cus_ann';
const UNKNOWN = { state: 'unknown', error: 'unknown: 504', at: START + 5, unsureSince: START } as const;

/** A post and a private message of which it is unknown whether they arrived. */
async function openStand() {
  const stand = await openConsoleFixture();
  const { chat } = stand.database;
  await chat.add([postOf(2), noteFor('customer:cus_ann')]);
  for (const id of ['alert:2@telegram', NOTE]) await end(chat, id, UNKNOWN);
  const give = async (alertId: number, change: ChatChange) => {
    await chat.add([postOf(alertId)]);
    await end(chat, `alert:${alertId}@telegram`, change);
  };
  return { ...stand, chat, give };
}

test('outbox shows each message that may have been sent: where, the alert, when, why, and what to do', async () => {
  const { type } = await openStand();

  const screen = await type('outbox');

  const words = wordsOfScreen(screen);
  expect(words).toContain('2 messages');
  expect(words).toContain(
    'alert:2@telegram\nlook in channel:telegram, alert 2, 2026-01-02 00:00 UTC (unknown: 504)',
  );
  expect(words).toContain(`${NOTE}\nto customer:cus_ann`);
  expect(words).toContain('If it did: dismiss ID. If not: resend ID sends it again.');
  expect(actionsOf(screen)).toContain('admin:do:resend alert:2@telegram');
});

test('outbox shows what was given up within a day and why, but not what other messages show', async () => {
  const { ask, chat, give, clock } = await openStand();
  const at = clock.now();
  await give(3, { state: 'failed', error: 'refused: 400', at });
  await give(4, { state: 'dropped', error: 'the post is gone', at });
  await give(5, { state: 'dropped', error: 'a newer alert of its thread takes its place', at });
  await give(6, { state: 'failed', error: 'too old', at: at - DAY_MS - 1 });
  await chat.decide('alert:2@telegram', { state: 'failed', error: 'accepted', at });

  const words = await ask('outbox');

  expect(words).toContain('alert:3@telegram: failed (refused: 400)');
  expect(words).toContain('alert:4@telegram: dropped (the post is gone)');
  expect(words).not.toMatch(/alert:[56]@telegram/);
});

test('an outbox in which all is well says so', async () => {
  const { ask } = await openConsoleFixture();
  expect(await ask('outbox')).toBe('Outcome unknown\nnone\n\nGiven up in the last 24 hours\nnone');
});

test('resend asks, then the message is pending again as a new one', async () => {
  const stand = await openStand();
  const asked = await stand.type('resend 2');
  expect(wordsOfScreen(asked)).toContain(
    'Send alert:2@telegram again? If it did arrive, it will be there twice.',
  );
  expect((await stand.chat.byId('alert:2@telegram'))?.state).toBe('unknown');

  await stand.tap(actionsOf(asked)[0] as string);

  const dueAt = stand.clock.now();
  const again = { state: 'pending', error: null, dueAt, createdAt: dueAt, unsureSince: null };
  expect(await stand.chat.byId('alert:2@telegram')).toMatchObject(again);
  expect((await stand.audited()).at(-1)).toContain('alert:2@telegram is sent again');
});

test('dismiss takes it off the list, and it is not sent again', async () => {
  const stand = await openStand();
  await stand.confirm(`dismiss ${NOTE}`);
  expect(await stand.chat.byId(NOTE)).toMatchObject({
    state: 'failed',
    error: 'outcome unknown, accepted by an operator',
  });
  expect(await stand.ask('outbox')).toContain('1 message,');
});

test('nothing else can be decided: a message that is pending, is missing, or was decided meanwhile', async () => {
  const stand = await openStand();
  expect(await stand.ask('resend 1')).toContain('alert:1@telegram is pending');
  expect(await stand.ask('dismiss nothing')).toContain('There is no message “nothing”');
  const asked = await stand.type('resend 2');
  await stand.type('dismiss 2');
  expect(wordsOfScreen(await stand.tap(actionsOf(asked)[0] as string))).toContain(
    'has been decided in the meantime',
  );
});

test('stats and health count the messages whose outcome is unknown', async () => {
  const { ask } = await openStand();
  expect(await ask('stats')).toContain('unknown 2');
  expect(await ask('health')).toContain('outcome unknown: 2 (outbox)');
});

test('withdraw of a post that may be there says to look in the channel; a repetition keeps the first mark', async () => {
  const results = ['unknown', 'withdrawn'] as const;
  let calls = 0;
  const stand = await openConsoleFixture(() => ({
    withdraw: async () => [{ id: 'alert:2@telegram', result: results[calls++] ?? 'busy', detail: null }],
  }));
  await stand.database.alerts.append(alertOf({ id: 2 }));
  await stand.database.chat.add([postOf(2)]);
  await end(stand.database.chat, 'alert:2@telegram', UNKNOWN);

  const words = await stand.confirmed('withdraw 2 wrong market');
  expect(words).toContain('channel:telegram may be there, as its outcome is unknown: look in the channel');
  expect(await stand.confirmed('withdraw 2')).toBe('Alert 2 is withdrawn: channel:telegram withdrawn.');
  expect((await stand.database.alerts.byId(2))?.withdrawn).toMatchObject({ reason: 'wrong market' });
});
