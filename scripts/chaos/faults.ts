import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '../../test/support/mongod/replica-set.ts';
import type { Stage } from './stage.ts';

const SETTLE_MS = 4_000;
const HANGS_MS = 45_000;
const AWAY_MS = 60_000;
const ZOMBIE_MS = 25_000;
const STEP_DOWNS = 3;

export interface Fault {
  readonly name: string;
  /** What is asked is killed, so that connections fail. */
  readonly mayCut?: boolean;
  strike(stage: Pick<Stage, 'set' | 'members' | 'worker'>): Promise<void>;
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'primary hangs 45 s',
    async strike({ set }) {
      const primary = await set.elected();
      primary.hang();
      const hangs = sleep(HANGS_MS);
      await set.elected(primary);
      await hangs;
      primary.resume();
    },
  },
  {
    name: `primary steps down, ${STEP_DOWNS} times`,
    async strike({ set }) {
      for (let n = 0; n < STEP_DOWNS; n++) {
        const primary = await set.elected();
        await command(primary, { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 10 }).catch(() => {});
        await set.elected(primary);
        await sleep(SETTLE_MS);
      }
    },
  },
  {
    // What it took last is on no other member, and is rolled back when it returns.
    name: 'primary alone, then killed',
    async strike({ set }) {
      const primary = await set.elected();
      const others = set.members.filter((member) => member !== primary);
      await Promise.all(others.map((member) => member.kill()));
      await sleep(SETTLE_MS);
      await primary.kill();
      await Promise.all(others.map((member) => member.restart()));
      await set.elected(primary);
      await sleep(SETTLE_MS);
      await primary.restart();
    },
  },
  {
    name: 'all three away 60 s',
    async strike({ set }) {
      await Promise.all(set.members.map((member) => member.kill()));
      await sleep(AWAY_MS);
      await Promise.all(set.members.map((member) => member.restart()));
      await set.elected();
    },
  },
  {
    name: 'each process killed in turn',
    mayCut: true,
    async strike({ members }) {
      for (const member of members) {
        await member.killAndRestart();
        await sleep(SETTLE_MS);
      }
    },
  },
  {
    name: 'worker stopped 25 s, and back',
    async strike({ worker }) {
      const zombie = worker();
      zombie.signal('SIGSTOP');
      await sleep(ZOMBIE_MS);
      zombie.signal('SIGCONT');
      await sleep(SETTLE_MS);
      if (worker() === zombie) throw new Error('no other process took the lease');
    },
  },
];
