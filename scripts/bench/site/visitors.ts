import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { seededRandom } from '../../../test/support/random.ts';
import { askEvenly } from '../load.ts';
import { serve } from '../remote.ts';

/** Over so long the pages that an event reached read themselves again (src/site/assets/live.js). */
const JITTER_MS = 5_000;

interface Load {
  readonly address: string;
  readonly perSecond: number;
  /** Each is as likely as the others. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** First pages that stay open, and read themselves again after an event. */
  readonly openPages?: number;
}

const random = seededRandom(200);
/** Resolves to how long each answer took, ms. */
let end = async (): Promise<readonly number[]> => [];

/** As a proxy names people of a thousand addresses. */
const anybody = () => ({
  'x-forwarded-for': `10.0.${Math.floor(random() * 4)}.${Math.floor(random() * 250)}`,
});

/** Visitors are on machines of their own. On this one they get what the others leave of the processors, where Linux can do that. */
function standBack(): void {
  spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]);
}

async function begin({ address, perSecond, paths, headers, openPages = 0 }: Load): Promise<void> {
  if (openPages > 0) standBack();
  const [pool, stop] = [new Pool(address, { connections: 50 }), new AbortController()];
  const { signal } = stop;
  const times: number[] = [];
  async function ask(path: string): Promise<void> {
    const startedAt = performance.now();
    const sent = { 'accept-encoding': 'gzip, br', ...anybody(), ...headers };
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers: sent });
    await body.dump();
    // A busy machine may make a page too late.
    if (statusCode >= 400 && (statusCode !== 503 || headers))
      throw new Error(`${path} was answered ${statusCode}`);
    times.push(performance.now() - startedAt);
  }
  const readAgain = async () => {
    await sleep(random() * JITTER_MS);
    if (!signal.aborted) await ask('/');
  };
  for (let count = 0; count < openPages; count++) await openPage(address, signal, readAgain);
  const asking = askEvenly(perSecond, signal, () => ask(paths[Math.floor(random() * paths.length)] ?? '/'));
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
