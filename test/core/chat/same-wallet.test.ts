import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/duration.ts';
import { postedOfWallet } from '../../../src/core/chat/same-wallet.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { alertOf } from '../../support/alerts.ts';
import { postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts } from '../../support/stored.ts';
import { end } from './chat-store-fixture.ts';

onSqlite('posts of the wallet of an alert', (fixture) => {
  const NOW = START + 2 * DAY_MS;
  const hours = (count: number) => NOW - count * HOUR_MS;
  const ofThread = (threadId: number) => {
    const { alerts, chat: messages } = fixture.database;
    const deps = { alerts, messages, clock: { now: () => NOW } };
    return postedOfWallet(deps, { wallet: alertOf({ id: 1 }).wallet, threadId }, 'telegram');
  };

  /** `sentAt`: null without a post. */
  async function posted(id: number, sentAt: number | null, given: Partial<Alert> = {}) {
    const { chat } = fixture.database;
    const threadId = given.threadId ?? id;
    const createdAt = NOW - 2 * DAY_MS + id;
    await storeAlerts(fixture.database, alertOf({ id, marketId: `0xm${id}`, createdAt, ...given }));
    await chat.add([postOf(id, { threadId })]);
    if (sentAt !== null) await end(chat, `alert:${id}@telegram`, { state: 'sent', place: '1', at: sentAt });
  }

  test('are those in the channel from the day before it, one of each other thread, newest alert first', async () => {
    const { chat } = fixture.database;
    await posted(1, hours(24) - 1);
    await posted(2, hours(24));
    await posted(3, null, { threadId: 2 });
    await posted(4, hours(9), { wallet: '0xb' });
    await posted(5, hours(8));
    await posted(6, null);
    await posted(7, hours(3));

    expect(await ofThread(8)).toEqual([7, 5, 3]);
    await chat.withdraw('alert:5@telegram', NOW);
    await chat.endGone('alert:2@telegram', { error: 'gone', at: NOW });
    expect(await ofThread(8)).toEqual([7]);
  });

  test('count from its own post once there is one, whatever the order of the alerts: the best are posted first', async () => {
    await posted(1, hours(2));
    await posted(2, hours(3));
    await posted(3, hours(1));
    expect([await ofThread(1), await ofThread(2), await ofThread(3)]).toEqual([[2], [], [2, 1]]);
  });

  test('are three at most', async () => {
    for (const id of [1, 2, 3, 4]) await posted(id, hours(9 - id));
    expect(await ofThread(5)).toEqual([4, 3, 2]);
  });
});
