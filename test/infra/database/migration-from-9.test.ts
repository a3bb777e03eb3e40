import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { DATABASES } from '../../support/databases.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { webhookOf } from '../../support/webhooks.ts';
import { onEachDatabase } from './each-database.ts';
import { bringBackToNinth, DROPPED_INDEXES } from './version-9.ts';

const DELIVERY = { webhookId: 'wh_a', alertId: 7, createdAt: START, finishedAt: null, result: null } as const;
const PENDING = { ...DELIVERY, id: 'msg_7_a', state: 'pending' } as const;

onEachDatabase('a database of version 9', (fixture) => {
  test('is brought forward: webhooks have no filters and get alerts only, deliveries are those of alerts', async () => {
    const { database, url } = fixture;
    await database.webhooks.insert(webhookOf({ id: 'wh_a', minScore: 70 }), 20);
    await database.deliveries.add([PENDING]);
    await database.close();
    await bringBackToNinth(url);

    const { webhooks, deliveries } = await fixture.another();

    expect(await webhooks.active()).toStrictEqual([webhookOf({ id: 'wh_a', minScore: 70 })]);
    expect(await deliveries.list('wh_a', { limit: 2 })).toStrictEqual([PENDING]);
    expect(await deliveries.requested(2)).toEqual([]);
  });
});

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

test.skipIf(mongo?.available !== true)(
  'MongoDB loses the indexes of alerts that no search reads',
  async ({ onTestFinished }) => {
    const opened = await mongo?.open();
    if (opened === undefined) throw new Error('no such database');
    const { database, url, drop } = opened;
    onTestFinished(drop);
    await database.close();
    await bringBackToNinth(url);
    const client = await MongoClient.connect(url);
    onTestFinished(() => client.close());
    const firstFields = async () =>
      (await client.db().collection('alerts').indexes()).map(({ key }) => Object.keys(key)[0] ?? '');
    const before = await firstFields();

    await (await openDatabase(url, { logger: silentLogger, migrates: true })).close();

    const after = await firstFields();
    expect(before.filter((field) => !after.includes(field)).toSorted()).toEqual([...DROPPED_INDEXES]);
  },
);
