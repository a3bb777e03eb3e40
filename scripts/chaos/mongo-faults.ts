import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { command, type ReplicaSet } from '../../test/support/mongod/replica-set.ts';
import { ask } from './probes.ts';
import type { Course, Fault } from './run-fault.ts';
import type { Stage } from './stage.ts';

export interface OnReplicaSet {
  readonly stage: Stage;
  readonly set: ReplicaSet;
}

const SETTLE_MS = 4_000;
const HANGS_MS = 45_000;
const AWAY_MS = 60_000;
/** Longer than a lease lives. */
const ZOMBIE_MS = 25_000;
const STEP_DOWNS = 3;

export const REPLICA_SET_FAULTS: readonly Fault<OnReplicaSet>[] = [
  {
    name: 'primary killed',
    async strike({ set }, course) {
      const primary = await set.elected();
      await primary.kill();
      await set.elected(primary);
      course.ended();
      await delay(SETTLE_MS);
      await primary.restart();
    },
  },
  { name: 'primary hangs 45 s', strike: hangPrimary },
  {
    name: `primary steps down, ${STEP_DOWNS} times`,
    async strike({ set }, course) {
      for (let n = 0; n < STEP_DOWNS; n++) {
        const primary = await set.elected();
        await command(primary, { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 10 }).catch(() => {});
        await set.elected(primary);
        course.ended();
        await delay(SETTLE_MS);
      }
    },
  },
  { name: 'primary alone, then killed', strike: isolatePrimary },
  {
    name: 'all three away 60 s',
    async strike({ set }, course) {
      await Promise.all(set.members.map((member) => member.kill()));
      await delay(AWAY_MS);
      await Promise.all(set.members.map((member) => member.restart()));
      await set.elected();
      course.ended();
    },
  },
  { name: 'each process killed in turn', mayFail: true, strike: killEachMember },
  {
    name: 'ingest stopped 25 s, and back',
    async strike({ stage }, course) {
      const zombie = stage.ingesting();
      zombie.signal('SIGSTOP');
      await delay(ZOMBIE_MS);
      zombie.signal('SIGCONT');
      course.ended();
      await delay(SETTLE_MS);
      course.check(stage.ingesting() !== zombie, 'no other process took the lease');
    },
  },
  { name: 'indexes dropped, restarted', mayFail: true, strike: dropIndexes },
];

async function hangPrimary({ stage, set }: OnReplicaSet, course: Course): Promise<void> {
  const primary = await set.elected();
  primary.hang();
  const hangs = delay(HANGS_MS);
  // The second API was asked nothing since its start: its connections to the database are idle.
  const idle = stage.member('api2').address;
  await delay(1_000);
  course.others.push(
    await ask(idle, '/api/v1/me', stage.key),
    await ask(idle, '/api/v1/alerts/1', stage.key),
  );
  await set.elected(primary);
  course.ended();
  await hangs;
  primary.resume();
}

/** What it took last is on no other member, and is rolled back when it returns. */
async function isolatePrimary({ set }: OnReplicaSet, course: Course): Promise<void> {
  const primary = await set.elected();
  const others = set.members.filter((member) => member !== primary);
  await Promise.all(others.map((member) => member.kill()));
  await delay(SETTLE_MS);
  await primary.kill();
  await Promise.all(others.map((member) => member.restart()));
  await set.elected(primary);
  course.ended();
  await delay(SETTLE_MS);
  await primary.restart();
}

async function killEachMember({ stage }: OnReplicaSet): Promise<void> {
  const holder = stage.ingesting();
  // The one that ingests first: the other one takes over, and is killed next.
  for (const member of new Set([holder, ...stage.members.values()])) {
    await member.killAndRestart();
    await delay(SETTLE_MS);
  }
}

/** As after a restore without indexes; the process that ingests dies again afterwards, since only an index keeps it from doubling. */
async function dropIndexes({ stage, set }: OnReplicaSet, course: Course): Promise<void> {
  const before = await indexesOf(set);
  const members = [...stage.members.values()];
  const codes = await Promise.all(members.map((member) => member.end('SIGTERM')));
  course.check(
    codes.every((code) => code === 0),
    `exit codes of SIGTERM: ${codes}`,
  );
  await withDatabase(set, async (db) => {
    for (const { name } of await db.listCollections().toArray())
      if (!name.startsWith('system.')) await db.collection(name).dropIndexes();
  });
  for (const member of members) member.start();
  await delay(SETTLE_MS);
  await stage.ingesting().killAndRestart();
  await stage.member('api1').logged('listening');
  course.ended();
  const after = await indexesOf(set);
  const missing = before.filter((index) => !after.includes(index));
  course.check(missing.length === 0, `indexes missing: ${missing}`);
}

async function indexesOf(set: ReplicaSet): Promise<readonly string[]> {
  return withDatabase(set, async (db) => {
    const names = (await db.listCollections().toArray()).map(({ name }) => name);
    const indexes = names.map(async (name) =>
      (await db.collection(name).indexes()).map((index) => `${name}.${index.name}`),
    );
    return (await Promise.all(indexes)).flat();
  });
}

async function withDatabase<Result>(
  { uri }: ReplicaSet,
  act: (db: ReturnType<MongoClient['db']>) => Promise<Result>,
): Promise<Result> {
  const client = await MongoClient.connect(uri);
  try {
    return await act(client.db());
  } finally {
    await client.close();
  }
}
