import { open, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './run-fault.ts';
import type { Stage } from './stage.ts';

export interface OnSqlite {
  readonly stage: Stage;
  /** The database. */
  readonly file: string;
}

const KILLS = 8;
const LOCKED_MS = 20_000;
const FULL_MS = 8_000;
/** An answer that needs no database, on a busy machine. */
const ALIVE_MS = 1_000;

const KILLED: Fault<OnSqlite> = {
  name: `service killed, ${KILLS} times`,
  mayFail: true,
  strike: ({ stage }) => killService(stage, KILLS),
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

export const FULL: Fault<OnSqlite> = {
  name: 'disk full, then freed',
  async strike({ stage, file }, course) {
    const ballast = `${file}.ballast`;
    await fill(ballast);
    await delay(FULL_MS);
    const { address } = stage.member('service');
    const presets = await fetch(`${address}/api/v1/presets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'mine', filters: { side: 'BUY' } }),
    });
    course.check(presets.status === 503, `POST /presets answered ${presets.status}`);
    await rm(ballast);
  },
};

export const SECOND: Fault<OnSqlite> = {
  name: 'two services, the first killed',
  mayFail: true,
  async strike({ stage }) {
    const first = stage.ingesting();
    await first.end('SIGKILL');
    await delay(4_000);
    first.start();
    await first.logged('listening');
  },
};

export const SQLITE_FAULTS = [KILLED, LOCKED, SECOND, FULL] as const;

export async function killService(stage: Stage, kills: number): Promise<void> {
  const service = stage.member('service');
  for (let n = 0; n < kills; n++) {
    await service.killAndRestart();
    await service.logged('listening');
    await delay(Math.random() * 1_500);
  }
}

async function fill(file: string): Promise<void> {
  const output = await open(file, 'w');
  const chunk = Buffer.alloc(65_536);
  try {
    for (;;) await output.write(chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await output.close();
  }
}
