import { type ClientRequest, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { seededRandom } from '../../../src/core/base/seeded-random.ts';
import { percentile } from '../figure.ts';
import { serve } from '../remote.ts';

/** Like a proxy in front of the service. */
const CONNECTIONS = 50;
const ADDRESSES = 1_000;
const CONNECTED_TOGETHER = 50;
/** Over so long the pages that an event reaches read again (src/site/assets/live.js). */
const SPREAD_MS = 5_000;
const FILES_EVERY = 5;

interface Visit {
  readonly address: string;
  readonly perSecond: number;
  /** Each is as likely as the others. */
  readonly paths: readonly string[];
  /** What a browser with an empty cache loads besides a page. */
  readonly files: readonly string[];
}

const random = seededRandom(200);
let open: ClientRequest[] = [];
let events = 0;
let read = { pages: 0, files: 0, again: 0 };
let times: number[] = [];
let isOver = false;
let visiting: Promise<void> = Promise.resolve();
let pool = new Pool('http://127.0.0.1');

async function ask(path: string, from: number): Promise<void> {
  const headers = { 'accept-encoding': 'gzip, br', 'x-forwarded-for': `10.0.${from >> 8}.${from & 255}` };
  const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}`);
}

const visitor = () => Math.floor(random() * ADDRESSES);

async function view({ paths, files }: Visit, isNew: boolean): Promise<void> {
  const from = visitor();
  const startedAt = performance.now();
  await ask(paths[Math.floor(random() * paths.length)] ?? '/', from);
  times.push(performance.now() - startedAt);
  read.pages += 1;
  if (!isNew) return;
  await Promise.all(files.map((path) => ask(path, from)));
  read.files += files.length;
}

async function visit(given: Visit): Promise<void> {
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let count = 0; !isOver; count++) {
    await sleep(Math.max(0, startedAt + (count * 1_000) / given.perSecond - performance.now()));
    const seen = view(given, count % FILES_EVERY === 0).finally(() => running.delete(seen));
    running.add(seen);
  }
  await Promise.all(running);
}

/** A page that was read and stays open: it reads itself again after an event. */
function stayOpen(address: string, from: number): Promise<void> {
  const url = `${address}/live?topics=alerts`;
  const headers = { 'x-forwarded-for': `10.1.${from >> 8}.${from & 255}`, accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`/live was answered ${response.statusCode}`));
      response.on('error', () => {});
      response.on('data', (chunk: Buffer) => {
        if (!chunk.includes('event: changed')) return;
        events += 1;
        setTimeout(() => void readAgain(from), random() * SPREAD_MS);
      });
      return resolve();
    });
    request.on('error', reject);
    open.push(request);
  });
}

async function readAgain(from: number): Promise<void> {
  if (isOver) return;
  await ask('/', from);
  read.again += 1;
}

const functions = {
  /** Opens live pages, as many as there are addresses. */
  async connect(address: string, count: number): Promise<void> {
    pool = new Pool(address, { connections: CONNECTIONS });
    const all = Array.from({ length: count }, (_, index) => index);
    for (let first = 0; first < count; first += CONNECTED_TOGETHER)
      await Promise.all(all.slice(first, first + CONNECTED_TOGETHER).map((from) => stayOpen(address, from)));
  },
  begin(given: Visit): void {
    [isOver, events, times, read] = [false, 0, [], { pages: 0, files: 0, again: 0 }];
    visiting = visit(given);
  },
  /** Ends the visits and closes the live pages. */
  async end() {
    isOver = true;
    await visiting;
    for (const request of open) request.destroy();
    open = [];
    await pool.close();
    return { ...read, events, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  },
};

/** Visitors of the site, in a process of their own. */
export type Visitors = typeof functions;

serve(functions);
