import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { alternate } from './alternate.ts';
import { onMongo } from './databases.ts';
import { atMost, type Figure, figure, median, medianOver, seconds, whole } from './figure.ts';
import { askEvenly } from './load.ts';
import { type BenchService, issueKeys, startApi } from './service.ts';

const ALERTS = 20_000;
const KEYS = 10;
const CONNECTIONS = 30;
const REST_MS = 3_000;
const WARM_UP_SECONDS = 3;
const ROUNDS = 5;
const ROUND_SECONDS = 1.5;
const MOST = 1.25;
const LOADS = [
  { what: 'a request of `/alerts/latest`', path: '/api/v1/alerts/latest', perSecond: 800 },
  {
    what: 'a search',
    path: '/api/v1/alerts?category=politics&min_signal=80&min_usdc=5000',
    perSecond: 60,
  },
];

/** Processes of the API that get the same rate each. */
class Side {
  readonly #apis: readonly BenchService[];
  readonly #pools: readonly Pool[];
  #restPerSecond = 0;

  constructor(apis: readonly BenchService[]) {
    this.#apis = apis;
    this.#pools = apis.map(({ address }) => new Pool(address, { connections: CONNECTIONS }));
  }

  async measureRest(): Promise<void> {
    const before = await this.#cpuSeconds();
    await sleep(REST_MS);
    this.#restPerSecond = ((await this.#cpuSeconds()) - before) / (REST_MS / 1_000);
  }

  /** Returns the processor time of an answer in µs, besides what the processes take at rest. */
  async send(
    { path, perSecond }: (typeof LOADS)[number],
    secrets: readonly string[],
    durationSeconds: number,
  ): Promise<number> {
    const before = await this.#cpuSeconds();
    const startedAt = performance.now();
    const answers = await askEvenly(
      perSecond * this.#apis.length,
      AbortSignal.timeout(durationSeconds * 1_000),
      (index) => this.#ask(path, index, secrets),
    );
    const took = seconds(startedAt);
    const cpu = (await this.#cpuSeconds()) - before - this.#restPerSecond * took;
    return (cpu / answers.length) * 1e6;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  async #ask(path: string, index: number, secrets: readonly string[]): Promise<void> {
    const pool = this.#pools[index % this.#pools.length] as Pool;
    const headers = { authorization: `Bearer ${secrets[index % secrets.length]}` };
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text}`);
  }

  async #cpuSeconds(): Promise<number> {
    const all = await Promise.all(this.#apis.map((api) => api.cpuSeconds()));
    return all.reduce((sum, each) => sum + each, 0);
  }
}

export function benchWide(): Promise<readonly Figure[]> {
  return onMongo(async (kind) => {
    await using database = await kind.open();
    await database.seed({ after: 0, upto: ALERTS });
    await using first = await startApi(database.url);
    await using second = await startApi(database.url);
    for (const api of [first, second]) await api.untilArchiveIsRead();
    const secrets = await issueKeys(database.url, KEYS);
    const sides = [new Side([first]), new Side([first, second])];
    for (const side of sides) await side.measureRest();
    const figures: Figure[] = [];
    for (const load of LOADS) {
      for (const side of sides) await side.send(load, secrets, WARM_UP_SECONDS);
      const costs = await alternate(sides, {
        rounds: ROUNDS,
        run: (side) => side.send(load, secrets, ROUND_SECONDS),
        describe: (last) => `${load.what}: ${last.map(whole).join(' : ')} µs`,
      });
      figures.push(...figuresOf(load.what, costs));
    }
    await Promise.all(sides.map((side) => side.close()));
    return figures;
  });
}

function figuresOf(what: string, [one = [], two = []]: readonly (readonly number[])[]): readonly Figure[] {
  const ratio = medianOver(two, one, (ofTwo, ofOne) => ofTwo / ofOne);
  const shown = [one, two].map((costs) => whole(median(costs))).join(' and ');
  return [
    figure(`${what}, one process and two`, `${shown} µs of processor`),
    figure(`${what}: with two processes, as a multiple`, ratio.toFixed(2), atMost(ratio, MOST)),
  ];
}
