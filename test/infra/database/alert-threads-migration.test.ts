import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { threadKey } from '../../../src/core/alerts/ledger/thread.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { migrate, UNFILLED_QUERY } from '../../../src/infra/database/sqlite/schema.ts';
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

const open = (url: string) => openDatabase(url, { logger: silentLogger, migrates: true });

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

onEachDatabase('alerts that lack what a thread is made of', (fixture) => {
  test.each(['type', 'marketId', 'side', 'outcome'])(
    'are brought forward without their %s',
    async (field) => {
      for (const id of [1, 2]) await fixture.database.alerts.append(alertOf({ id }));
      await fixture.database.close();
      await bringBackToFifth(fixture.url);
      await withRaw(fixture.url, {
        sqlite: (db) => db.prepare('UPDATE alerts SET body = json_remove(body, ?)').run(`$.${field}`),
        mongo: (db) => db.collection('alerts').updateMany({}, { $unset: { [field]: 1 } }),
      });

      const { alerts } = await fixture.another();

      expect(placesOf(await alerts.after(0, 10))).toEqual([
        [1, 1, null],
        [2, 1, 1],
      ]);
      const given = { ...alertOf({ id: 1 }), [field]: '' };
      expect((await alerts.thread(threadKey(given))).map(({ id }) => id)).toEqual([1, 2]);
    },
  );
});

onEachDatabase('alerts that an older build appends after the migration', (fixture) => {
  /** In two threads: the odd ids and the even ones. */
  const alerts = [1, 2, 3, 4, 5].map((id) => alertOf({ id, outcome: id % 2 === 0 ? 'Yes' : 'No' }));

  async function appendThreadless(...ids: readonly number[]): Promise<void> {
    await withRaw(fixture.url, {
      sqlite: (db) =>
        db.exec(
          `UPDATE alerts SET thread = '', thread_id = 0, supersedes = NULL WHERE id IN (${ids.join(', ')})`,
        ),
      mongo: (db) =>
        db
          .collection<{ _id: number }>('alerts')
          .updateMany({ _id: { $in: ids } }, { $unset: { thread: 1, threadId: 1, supersedes: 1 } }),
    });
  }

  test('are read as threads of their own', async () => {
    const { database } = fixture;
    for (const alert of threaded(alerts)) await database.alerts.append(alert);
    await appendThreadless(3, 4);

    expect(placesOf(await database.alerts.after(2, 2))).toEqual([
      [3, 3, null],
      [4, 4, null],
    ]);
    const { alerts: found } = await database.alerts.search({}, { page: 1, pageSize: 10 });
    expect(placesOf(found).filter(([id]) => id === 3 || id === 4)).toEqual([
      [4, 4, null],
      [3, 3, null],
    ]);
  });

  test('have their threads after the next start, and no other alert changes', async () => {
    const places = threaded(alerts).map((alert) =>
      // Appended by this build, which did not find alert 3 in the thread.
      alert.id === 5 ? { ...alert, threadId: 1, supersedes: 1 } : alert,
    );
    for (const alert of places) await fixture.database.alerts.append(alert);
    await appendThreadless(3, 4);

    const database = await fixture.another();

    expect(await database.alerts.after(0, 10)).toStrictEqual(places);
    expect(
      (await database.alerts.thread(threadKey(alertOf({ id: 1, outcome: 'No' })))).map(({ id }) => id),
    ).toEqual([1, 3, 5]);
  });
});

test('on SQLite a start without such alerts looks for them in the index of threads', async () => {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  migrate(db);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${UNFILLED_QUERY}`).all(1);
  expect(plan).toMatchObject([
    { detail: expect.stringMatching(/^SEARCH alerts USING INDEX alerts_by_thread \(thread=\?\)$/) },
  ]);
});

const placesOf = (alerts: readonly Alert[]) =>
  alerts.map(({ id, threadId, supersedes }) => [id, threadId, supersedes]);

interface RawWork {
  sqlite(db: DatabaseSync): unknown;
  mongo(db: Db): Promise<unknown>;
}

/** Changes a database past the stores, as another build would. */
async function withRaw(url: string, work: RawWork): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length));
    work.sqlite(db);
    db.close();
    return;
  }
  const client = await MongoClient.connect(url);
  await work.mongo(client.db());
  await client.close();
}

const mongo = DATABASES.filter(({ name }) => name.startsWith('MongoDB'));

test.skipIf(mongo.every(({ available }) => !available))(
  'on MongoDB a migration that was killed continues where it was, also within a thread of many batches',
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
