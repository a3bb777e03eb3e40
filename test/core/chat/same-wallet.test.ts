import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/duration.ts';
import { postedOfWallet } from '../../../src/core/chat/same-wallet.ts';
import { end, SENT } from '../../infra/database/chat-store-fixture.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import { alertOf } from '../../support/alerts.ts';
import { postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';

onEachDatabase('posts of the wallet of an alert', (fixture) => {
  const NOW = START + 2 * DAY_MS;
  const ofAlert = (alert: Alert) =>
    postedOfWallet({ alerts: fixture.database.alerts, messages: fixture.database.chat }, alert, 'telegram');

  test('are those of the day before it that are in the channel, one of each other thread, newest first', async () => {
    const { alerts, chat } = fixture.database;
    const created = [NOW - DAY_MS - 1, ...[9, 8, 7, 6, 5, 4, 0].map((hours) => NOW - hours * HOUR_MS)];
    const given: Partial<Alert>[] = [{}, {}, { threadId: 2 }, {}, { wallet: '0xb' }, {}, { threadId: 8 }, {}];
    const all = created.map((createdAt, index) =>
      alertOf({ id: index + 1, marketId: `0xm${index}`, createdAt, ...given[index] }),
    );
    for (const { id, threadId, ...alert } of all) {
      await alerts.append({ ...alert, id, threadId });
      await chat.add([postOf(id, { threadId })]);
    }
    // Of the day before: threads 2 (alerts 2 and 3), 4, 6, and 8, which is the alert's own. 5 is another wallet's.
    for (const id of [1, 2, 4, 5, 6, 7]) await end(chat, `alert:${id}@telegram`, SENT);

    expect(await ofAlert(all[7] as Alert)).toEqual([6, 4, 3]);
    await chat.withdraw('alert:4@telegram', NOW);
    await chat.endGone('alert:6@telegram', { error: 'gone', at: NOW });
    expect(await ofAlert(all[7] as Alert)).toEqual([3]);
    expect(await ofAlert(all[0] as Alert)).toEqual([]);
  });

  test('are three at most', async () => {
    const { alerts, chat } = fixture.database;
    for (const id of [1, 2, 3, 4, 5]) {
      await alerts.append(alertOf({ id, marketId: `0xm${id}` }));
      await chat.add([postOf(id)]);
      await end(chat, `alert:${id}@telegram`, SENT);
    }
    expect(await ofAlert(alertOf({ id: 5 }))).toEqual([4, 3, 2]);
  });
});
