import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../src/core/alert.ts';
import { threadKey } from '../../../src/core/ledger/thread.ts';
import { openDatabase } from '../../../src/infra/database.ts';
import { alertOf } from '../../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { onEachDatabase } from './each-database.ts';
import { numbered, unnumbered } from './random-alerts.ts';
import { bringBackToFifth } from './version-5.ts';

/** The alerts with their places in the threads, found by looking at all alerts before each. */
function threaded(alerts: readonly Alert[]): Alert[] {
  return alerts.map((alert, index) => {
    const earlier = alerts.slice(0, index).filter((other) => threadKey(other) === threadKey(alert));
    return { ...alert, threadId: earlier[0]?.id ?? alert.id, supersedes: earlier.at(-1)?.id ?? null };
  });
}

const open = (url: string) => openDatabase(url, { logger: silentLogger });

onEachDatabase('a database of version 5', (fixture) => {
  test('is brought forward with all it holds: every alert has its thread, and is read by it', async () => {
    const given = fc.sample(unnumbered, { numRuns: 60, seed: 5 });
    // Whatever their texts hold: half of them share an outcome, so that there are threads.
    const shared = given.map((alert, index) => (index % 2 === 0 ? alert : { ...alert, outcome: 'Yes' }));
    const alerts = threaded(numbered(shared));
    for (const alert of alerts) await fixture.database.alerts.append(alert);
    await fixture.database.close();
    await bringBackToFifth(fixture.url);

    const database = await fixture.another();

    expect(await database.alerts.after(0, 100)).toStrictEqual(alerts);
    expect(alerts.some(({ supersedes }) => supersedes !== null)).toBe(true);
    for (const key of new Set(alerts.map(threadKey))) {
      const ids = alerts.filter((alert) => threadKey(alert) === key).map(({ id }) => id);
      expect((await database.alerts.thread(key)).map(({ id }) => id)).toEqual(ids);
    }
  });

  test('is brought forward once by two processes that start at the same time', async () => {
    const alerts = threaded([1, 2, 3, 4].map((id) => alertOf({ id, outcome: id % 2 === 0 ? 'Yes' : 'No' })));
    for (const alert of alerts) await fixture.database.alerts.append(alert);
    await fixture.database.close();
    await bringBackToFifth(fixture.url);

    const both = await Promise.all([open(fixture.url), open(fixture.url)]);

    expect(await both[0].alerts.after(0, 10)).toStrictEqual(alerts);
    await Promise.all(both.map((database) => database.close()));
  });
});

const mongo = DATABASES.filter(({ name }) => name.startsWith('MongoDB'));

test.skipIf(mongo.every(({ available }) => !available))(
  'on MongoDB a migration that was killed goes on where it was, also within a thread of many batches',
  async () => {
    const { db, opened, alerts } = await versionFive(2_500);
    const places = alerts.map(({ id, threadId, supersedes }) => ({ _id: id, threadId, supersedes }));
    const isDone = (id: number) => id <= 1_000 || (id <= 2_000 && id % 3 === 0);
    const key = threadKey(alertOf({ id: 1 }));
    await db.collection<{ _id: number }>('alerts').bulkWrite(
      places
        .filter(({ _id }) => isDone(_id))
        .map(({ _id, ...place }) => ({
          updateOne: { filter: { _id }, update: { $set: { ...place, thread: key } } },
        })),
    );

    const database = await open(opened.url);
    onTestFinished(database.close);

    const found = await database.alerts.after(0, alerts.length);
    expect(found.map(({ id, threadId, supersedes }) => ({ _id: id, threadId, supersedes }))).toEqual(places);
  },
);

/** A database of version 5 with one thread of so many alerts, and the alerts as they are to become. */
async function versionFive(count: number): Promise<{ db: Db; opened: TestDatabase; alerts: Alert[] }> {
  const opened = await (mongo[0] as (typeof mongo)[number]).open();
  onTestFinished(opened.drop);
  await opened.database.alerts.append(alertOf({ id: 1 }));
  await bringBackToFifth(opened.url);
  const client = await MongoClient.connect(opened.url);
  onTestFinished(() => client.close());
  const db = client.db();
  const stored = db.collection<{ _id: number }>('alerts');
  const first = await stored.findOne();
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  await stored.insertMany(ids.slice(1).map((id) => ({ ...first, _id: id, key: `k${id}` })));
  const alerts = ids.map((id) => alertOf({ id, threadId: 1, supersedes: id === 1 ? null : id - 1 }));
  return { db, opened, alerts };
}
