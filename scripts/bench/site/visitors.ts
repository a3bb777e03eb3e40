import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { seededRandom } from '../../../test/support/random.ts';
import { serve } from '../remote.ts';

/** Over so long the pages that an event reached read themselves again (src/site/assets/live.js). */
const JITTER_MS = 5_000;

interface Load {
  readonly address: string;
  /** The process of the service. */
  readonly pid: number;
  readonly perSecond: number;
  /** Each is as likely as the others. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** First pages that stay open, and read themselves again after an event. */
  readonly openPages?: number;
}

/** Times of answers, ms: by the clock, and without the time in which the service or its client waited for a core of this machine. */
export interface Times {
  readonly clock: number[];
  readonly own: number[];
}

const random = seededRandom(200);
let end = async (): Promise<Times> => ({ clock: [], own: [] });

/** As a proxy names people of a thousand addresses. */
const anybody = () => ({
  'x-forwarded-for': `10.0.${Math.floor(random() * 4)}.${Math.floor(random() * 250)}`,
});

/** How long main threads of processes have been ready to run and have not run (Documentation/scheduler/sched-stats.rst). */
function waitedMs(...pids: readonly number[]): number {
  const waited = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  return process.platform === 'linux' ? pids.reduce((sum, pid) => sum + waited(pid), 0) : 0;
}

async function begin({ address, pid, perSecond, paths, headers, openPages = 0 }: Load): Promise<void> {
  const [pool, stop] = [new Pool(address, { connections: 50 }), new AbortController()];
  const { signal } = stop;
  const times: Times = { clock: [], own: [] };
  async function ask(path: string): Promise<void> {
    const [startedAt, waited] = [performance.now(), waitedMs(pid, process.pid)];
    const sent = { 'accept-encoding': 'gzip, br', ...anybody(), ...headers };
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers: sent });
    await body.dump();
    // A busy machine may make a page too late.
    if (statusCode >= 400 && (statusCode !== 503 || headers))
      throw new Error(`${path} was answered ${statusCode}`);
    const took = performance.now() - startedAt;
    times.clock.push(took);
    times.own.push(Math.max(0, took - (waitedMs(pid, process.pid) - waited)));
  }
  const readAgain = async () => {
    await sleep(random() * JITTER_MS);
    if (!signal.aborted) await ask('/');
  };
  for (let count = 0; count < openPages; count++) await openPage(address, signal, readAgain);
  async function askSteadily(): Promise<void> {
    const [startedAt, asked] = [performance.now(), [] as Promise<void>[]];
    while (!signal.aborted) {
      await sleep(Math.max(0, startedAt + (asked.length * 1_000) / perSecond - performance.now()));
      asked.push(ask(paths[Math.floor(random() * paths.length)] ?? '/'));
    }
    await Promise.all(asked);
  }
  const asking = askSteadily();
  end = async () => {
    stop.abort();
    await asking;
    await pool.close();
    return times;
  };
}

function openPage(address: string, signal: AbortSignal, onChange: () => void): Promise<unknown> {
  const request = get(`${address}/live?topics=alerts`, { agent: false, headers: anybody(), signal });
  request
    .on('error', () => {})
    .on('response', (response) => {
      response.on('error', () => {});
      response.on('data', (chunk: Buffer) => chunk.includes('event: changed') && onChange());
    });
  return once(request, 'response');
}

const functions = { begin, end: () => end() };

/** People who look at the site, or a client of the API, in a process of their own. */
export type Visitors = typeof functions;

serve(functions);
