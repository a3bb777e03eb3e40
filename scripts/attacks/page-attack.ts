import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { alertPath } from '../../src/core/alerts/site-paths.ts';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import { CATEGORIES } from '../../src/core/trades/trade.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { playMidterms } from '../../test/support/site/midterms.ts';
import { type BenchDatabase, openSqliteFile } from '../bench/databases.ts';
import { ms, percentile } from '../bench/figure.ts';
import { Remote } from '../bench/remote.ts';
import { sampleMoment } from '../bench/sample-alerts.ts';
import { startApi } from '../bench/service.ts';
import type { Attacker, Attackers } from './page-attackers.ts';

const ADDRESSES = 16;
const REQUESTS = 290;
const SAMPLES = 10_000;
/** How long the other client is measured without an attack, and with one at least. */
const IDLE_MS = 5_000;
const ALIVE_EVERY_MS = 5;
/** The slowest answer of `/healthz`. */
const ALIVE_AIM_MS = 100;
/** The 99th percentile of searches, as a multiple of that without an attack. */
const SEARCH_AIM = 3;

/** What another key asks meanwhile, one after the other: filters that were asked before, and one that never was. */
const ASKED = ['category=politics', 'side=BUY&page=200', 'search=election', 'min_usdc=1000.'];

interface Scene {
  readonly name: string;
  /** Scenes with the same number have the same addresses. */
  readonly subnet: number;
  pathOf(request: number): string;
}

const SCENES: readonly Scene[] = [
  { name: 'a page of its own each', subnet: 1, pathOf: (request) => alertPath(request + 1) },
  { name: 'above their limit', subnet: 1, pathOf: (request) => alertPath(request + 1) },
  { name: 'one page', subnet: 2, pathOf: () => alertPath(1) },
  { name: 'no such alert', subnet: 3, pathOf: (request) => alertPath(1_000_000 + request) },
  { name: 'no such path', subnet: 4, pathOf: (request) => `/nothing/${request}` },
  {
    name: 'feeds',
    subnet: 5,
    pathOf: (request) =>
      `/feed.xml?category=${CATEGORIES[request % CATEGORIES.length]}&min_signal=${request % 100}`,
  },
];

interface Answers {
  readonly alive: number[];
  readonly searches: number[];
}

/**
 * Addresses without a key send all their minute has, beside a probe and a search. True: both were in time.
 */
export async function attackPages(): Promise<boolean> {
  await using database = await openSqliteFile();
  await fill(database);
  await using service = await startApi(database.url, { PUBLIC_REQUESTS_PER_MINUTE: '60' });
  await service.untilArchiveIsRead();
  await using attackers = new Remote<Attackers>(new URL('./page-attackers.ts', import.meta.url));
  const client = new OtherClient(service);
  await client.measure(() => sleep(IDLE_MS));
  const { answers: idle } = await client.measure(() => sleep(IDLE_MS));
  print(['scene', 'lasted', 'answers', '/healthz p99', 'worst', 'search p50', 'p99', 'verdict']);
  print(new Array<string>(8).fill('---'));
  print(['idle', ms(IDLE_MS), '', ...timesOf(idle), '']);
  let isHeld = true;
  for (const scene of SCENES) {
    const startedAt = performance.now();
    const { result, answers } = await client.measure(async () => {
      const attack = attackers.call('attack', service.address, attackersOf(scene));
      const lasting = attack.then(() => performance.now() - startedAt);
      // At least as long as without an attack.
      await Promise.all([lasting, sleep(IDLE_MS)]);
      return { statuses: await attack, lastedMs: await lasting };
    });
    const statuses = Object.entries(result.statuses).map(([status, count]) => `${count}×${status}`);
    const late = lateOf(answers, idle);
    const verdict = late.join(', ') || 'held';
    print([scene.name, ms(result.lastedMs), statuses.join(' '), ...timesOf(answers), verdict]);
    isHeld &&= late.length === 0;
  }
  client.close();
  return isHeld;
}

async function fill(bench: BenchDatabase): Promise<void> {
  const database = await openDatabase(bench.url);
  await playMidterms(database);
  const after = (await database.alerts.last())?.id ?? 0;
  await database.close();
  const upto = after + SAMPLES;
  await bench.seed({ after, upto, shiftMs: Date.now() - HOUR_MS - sampleMoment(upto) });
}

function attackersOf({ subnet, pathOf }: Scene): readonly Attacker[] {
  return Array.from({ length: ADDRESSES }, (_, index) => ({
    localAddress: `127.0.${subnet}.${index + 1}`,
    paths: Array.from({ length: REQUESTS }, (_, request) => pathOf(index * REQUESTS + request)),
  }));
}

function lateOf({ alive, searches }: Answers, idle: Answers): readonly string[] {
  const isAlive = percentile(alive, 1) <= ALIVE_AIM_MS;
  const isFound = percentile(searches, 0.99) <= SEARCH_AIM * percentile(idle.searches, 0.99);
  return [...(isAlive ? [] : ['/healthz late']), ...(isFound ? [] : ['searches late'])];
}

function timesOf({ alive, searches }: Answers): readonly string[] {
  return [
    ms(percentile(alive, 0.99)),
    ms(percentile(alive, 1)),
    ms(percentile(searches, 0.5)),
    ms(percentile(searches, 0.99)),
  ];
}

function print(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

class OtherClient {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));

  constructor({ address, headers }: { address: string; headers: Readonly<Record<string, string>> }) {
    this.#address = address;
    this.#headers = headers;
  }

  async measure<Result>(act: () => Promise<Result>): Promise<{ result: Result; answers: Answers }> {
    const answers: Answers = { alive: [], searches: [] };
    const [alive, searching] = this.#agents;
    let isOver = false;
    const asking = Promise.all([
      (async () => {
        while (!isOver) {
          answers.alive.push(await this.#ask('/healthz', alive));
          await sleep(ALIVE_EVERY_MS);
        }
      })(),
      (async () => {
        while (!isOver) {
          const query = searchOf(answers.searches.length);
          answers.searches.push(await this.#ask(`/api/v1/alerts?${query}`, searching));
        }
      })(),
    ]);
    const result = await act();
    isOver = true;
    await asking;
    return { result, answers };
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }

  #ask(path: string, agent: Agent | undefined): Promise<number> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      get(this.#address + path, { agent, headers: this.#headers }, (response) => {
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - startedAt);
          else reject(new Error(`${path} was answered ${response.statusCode}`));
        });
        response.resume();
      }).on('error', reject);
    });
  }
}

function searchOf(index: number): string {
  const asked = ASKED[index % ASKED.length] as string;
  return asked.endsWith('.') ? asked + String(Math.random()).slice(2) : asked;
}
