import { expect, test } from 'vitest';
import type { ChatChange } from '../../../src/core/chat/chat-store.ts';
import { end } from '../../infra/database/chat-store-fixture.ts';
import { alertOf } from '../../support/alerts.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { openConsoleFixture } from './console-fixture.ts';

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

test('stats and health count the messages whose outcome is unknown', async () => {
  const { ask } = await openStand();
  expect(await ask('stats')).toContain('unknown 2');
  expect(await ask('health')).toContain('outcome unknown: 2');
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
