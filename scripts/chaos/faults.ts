import { setTimeout as delay } from 'node:timers/promises';
import { command } from '../../test/support/mongod/replica-set.ts';
import { ANSWER_MS } from './measure.ts';
import { ask } from './probes.ts';
import type { Course, Fault, Scene } from './run-fault.ts';

const SETTLE_MS = 4_000;
const HANGS_MS = 45_000;
const AWAY_MS = 60_000;
const ZOMBIE_MS = 25_000;
const STEP_DOWNS = 3;

export const FAULTS: readonly Fault[] = [
  {
    name: 'primary killed',
    async strike({ set }) {
      const primary = await set.elected();
      await primary.kill();
      await set.elected(primary);
      await delay(SETTLE_MS);
      await primary.restart();
    },
  },
  { name: 'primary hangs 45 s', strike: hangPrimary },
  {
    name: `primary steps down, ${STEP_DOWNS} times`,
    async strike({ set }) {
      for (let n = 0; n < STEP_DOWNS; n++) {
        const primary = await set.elected();
        await command(primary, { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 10 }).catch(() => {});
        await set.elected(primary);
        await delay(SETTLE_MS);
      }
    },
  },
  { name: 'primary alone, then killed', strike: isolatePrimary },
  {
    name: 'all three away 60 s',
    async strike({ set }) {
      await Promise.all(set.members.map((member) => member.kill()));
      await delay(AWAY_MS);
      await Promise.all(set.members.map((member) => member.restart()));
      await set.elected();
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
      await delay(SETTLE_MS);
      course.check(stage.ingesting() !== zombie, 'no other process took the lease');
    },
  },
];

async function hangPrimary({ stage, set }: Scene, course: Course): Promise<void> {
  const primary = await set.elected();
  primary.hang();
  const hangs = delay(HANGS_MS);
  // The second API was asked nothing since its start: its connections to the database are idle.
  const idle = stage.member('api2').address;
  await delay(1_000);
  for (const route of ['/api/v1/me', '/api/v1/alerts/1']) {
    const { ms } = await ask(idle, route, stage.key);
    course.check(ms <= ANSWER_MS, `${route} of an idle process took ${Math.round(ms)} ms`);
  }
  await set.elected(primary);
  await hangs;
  primary.resume();
}

/** What it took last is on no other member, and is rolled back when it returns. */
async function isolatePrimary({ set }: Scene): Promise<void> {
  const primary = await set.elected();
  const others = set.members.filter((member) => member !== primary);
  await Promise.all(others.map((member) => member.kill()));
  await delay(SETTLE_MS);
  await primary.kill();
  await Promise.all(others.map((member) => member.restart()));
  await set.elected(primary);
  await delay(SETTLE_MS);
  await primary.restart();
}

async function killEachMember({ stage }: Scene): Promise<void> {
  const holder = stage.ingesting();
  // The one that ingests first: the other one takes over, and is killed next.
  for (const member of new Set([holder, ...stage.members.values()])) {
    await member.killAndRestart();
    await delay(SETTLE_MS);
  }
}
