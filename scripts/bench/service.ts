import { fork } from 'node:child_process';
import { once } from 'node:events';
import { KeyService } from '../../src/core/accounts/keys/key-service.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { startService } from '../../test/support/service-process.ts';
import type { BareAnswer } from './bare-server.ts';

/** A server in a process of its own. */
export interface Server {
  readonly address: string;
  /** Processor time since its start. */
  cpuSeconds(): Promise<number>;
}

export async function startApi(databaseUrl: string, settings: Readonly<Record<string, string>> = {}) {
  const [secret = ''] = await issueKeys(databaseUrl, 1);
  const own = { DATABASE_URL: databaseUrl, ROLES: 'api', PUBLIC_REQUESTS_PER_MINUTE: '0' };
  const startedAt = performance.now();
  const service = startService({ ...own, ...settings });
  const address = String((await service.logged('listening'))['address']);
  const headers = { authorization: `Bearer ${secret}` };
  return {
    ...serverAt(address),
    secret,
    headers,
    /** When the process was started. */
    startedAt,
    untilIndexIsFilled: () => untilAnswered(`${address}/api/v1/alerts?min_signal=0&page_size=1`, headers),
    [Symbol.asyncDispose]: async () => void (await service.end('SIGTERM')),
  };
}

/** A Fastify that does nothing but answer, to compare the service with on the same machine. */
export async function startBare(given: BareAnswer) {
  const program = await startProgram('bare-server.ts', given);
  return { ...serverAt(String(program.answer)), [Symbol.asyncDispose]: program[Symbol.asyncDispose] };
}

/** Another file of the bench, in a process of its own. It is sent what to do, and answers when it is ready. */
export async function startProgram(file: string, given: object) {
  const child = fork(new URL(file, import.meta.url));
  child.send(given);
  const [answer] = await once(child, 'message');
  return {
    answer,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, 'close');
    },
  };
}

function serverAt(address: string): Server {
  return { address, cpuSeconds: () => metricAt(address, 'process_cpu_seconds_total') };
}

async function untilAnswered(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  while ((await fetch(url, { headers })).status === 503);
}

export async function metricAt(address: string, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** Keys of the tier Enterprise. */
export async function issueKeys(databaseUrl: string, count: number): Promise<readonly string[]> {
  await using database = await openDatabase(databaseUrl);
  const { keys } = database;
  const service = new KeyService({ keys, hasher: argon2Hasher, random: secureRandom, clock: systemClock });
  const secrets: string[] = [];
  while (secrets.length < count) {
    const issued = await service.issue({ tier: 'enterprise', name: 'Benchmark' });
    if (!issued.ok) throw new Error(`no key was issued: ${issued.reason}`);
    secrets.push(issued.secret);
  }
  return secrets;
}
