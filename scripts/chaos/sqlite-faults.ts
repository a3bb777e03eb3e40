import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './run-fault.ts';
import type { Stage } from './stage.ts';

export interface OnSqlite {
  readonly stage: Stage;
  readonly file: string;
}

const KILLS = 8;
const LOCKED_MS = 20_000;
/** An answer that needs no database, on a busy machine. */
const ALIVE_MS = 1_000;

const KILLED: Fault<OnSqlite> = {
  name: `service killed, ${KILLS} times`,
  mayFail: true,
  async strike({ stage }) {
    const service = stage.member('service');
    for (let n = 0; n < KILLS; n++) {
      await service.killAndRestart();
      await service.logged('listening');
      await delay(Math.random() * 1_500);
    }
  },
};

const LOCKED: Fault<OnSqlite> = {
  name: 'locked by another process 20 s',
  async strike({ stage, file }, course) {
    const lock = new DatabaseSync(file, { timeout: 5_000 });
    lock.exec('BEGIN EXCLUSIVE');
    await delay(LOCKED_MS);
    lock.exec('ROLLBACK');
    lock.close();
    const alive = stage.probes.flatMap(({ answers }) => answers);
    await Promise.all(stage.probes.map((probes) => probes.answered()));
    const worst = Math.max(...alive.filter(({ route }) => route === '/healthz').map(({ ms }) => ms));
    course.check(worst < ALIVE_MS, `/healthz took ${Math.round(worst)} ms: the lock blocked the event loop`);
  },
};

export const SQLITE_FAULTS = [KILLED, LOCKED] as const;
