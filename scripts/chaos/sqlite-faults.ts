import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitUntil } from '../../test/support/wait-until.ts';
import { ask } from './probes.ts';
import type { Course, Fault } from './run-fault.ts';
import type { Stage } from './stage.ts';

export interface OnSqlite {
  readonly stage: Stage;
  /** The database. */
  readonly file: string;
}

const KILLS = 8;
const TORN = 4;
const LOCKED_MS = 20_000;
const NOTICED_MS = 10_000;
const FULL_MS = 8_000;
/** An answer that needs no database, on a busy machine. */
const ALIVE_MS = 1_000;

export const KILLED: Fault<OnSqlite> = {
  name: `service killed, ${KILLS} times`,
  mayFail: true,
  strike: ({ stage }) => killService(stage, KILLS),
};

export const LOCKED: Fault<OnSqlite> = {
  name: 'locked by another process 20 s',
  async strike({ stage, file }, course) {
    const lock = new DatabaseSync(file, { timeout: 5_000 });
    lock.exec('BEGIN EXCLUSIVE');
    await delay(LOCKED_MS);
    lock.exec('ROLLBACK');
    lock.close();
    course.ended();
    const alive = stage.probes.flatMap(({ answers }) => answers);
    await Promise.all(stage.probes.map((probes) => probes.answered()));
    const worst = Math.max(...alive.filter(({ route }) => route === '/healthz').map(({ ms }) => ms));
    course.check(worst < ALIVE_MS, `/healthz took ${Math.round(worst)} ms: the lock blocked the event loop`);
  },
};

export const DELETED: Fault<OnSqlite> = {
  name: 'file deleted',
  isTheEnd: true,
  async strike({ stage, file }, course) {
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    const { address, output } = stage.member('service');
    const noticed = await waitUntil(
      async () => ((await ask(address, '/readyz', stage.key)).status === 503 ? true : null),
      { timeoutMs: NOTICED_MS + 2_000, what: '/readyz is 503' },
    ).catch(() => false);
    course.ended();
    course.check(noticed, '/readyz was 200 for more than 10 s');
    const lines = stage.member('service').output.slice(output.length);
    course.check(lines.includes('"level":"error"') && lines.includes(file), 'no error line names the file');
    const before = stage.streams[0]?.received.length;
    await delay(2_000);
    course.check(
      before === stage.streams[0]?.received.length,
      'alerts are published that are stored nowhere',
    );
    await refusesNewFile(stage, file, course);
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
    course.ended();
  },
};

/** Pages at the end of the log are lost, and their alerts are published again: the ledger alone is compared. */
export const TORN_LOG: Fault<OnSqlite> = {
  name: `write-ahead log torn, ${TORN} times`,
  mayFail: true,
  async strike({ stage, file }) {
    for (let n = 0; n < TORN; n++) {
      await delay(2_000);
      const service = stage.member('service');
      await service.end('SIGKILL');
      await tear(`${file}-wal`, n);
      service.start();
      await service.logged('listening');
    }
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

export const SQLITE_FAULTS = [KILLED, TORN_LOG, LOCKED, SECOND, DELETED, FULL] as const;

export async function killService(stage: Stage, kills: number): Promise<void> {
  const service = stage.member('service');
  for (let n = 0; n < kills; n++) {
    await service.killAndRestart();
    await service.logged('listening');
    await delay(Math.random() * 1_500);
  }
}

/** A command on the path of a database that is gone must not make an empty one. */
async function refusesNewFile(stage: Stage, file: string, course: Course): Promise<void> {
  const env = { ...process.env, DATABASE_URL: stage.options.url };
  const args = ['src/cli/keys.ts', 'issue', '--tier', 'free', '--name', 'Lost'];
  const isIssued = await promisify(execFile)(process.execPath, args, { env }).then(
    () => true,
    () => false,
  );
  const isMade = await access(file).then(
    () => true,
    () => false,
  );
  course.check(!isIssued && !isMade, '`keys issue` made a database without the keys of the service');
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

/** Cut in the middle, cut by some bytes, its end overwritten, or removed. */
async function tear(log: string, n: number): Promise<void> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  if (n % 4 === 0) await truncate(log, Math.floor(bytes.length / 2));
  else if (n % 4 === 1) await truncate(log, Math.max(0, bytes.length - 33));
  else if (n % 4 === 2)
    await writeFile(
      log,
      Buffer.concat([bytes.subarray(0, Math.max(0, bytes.length - 5_000)), randomBytes(5_000)]),
    );
  else await rm(log, { force: true });
}
