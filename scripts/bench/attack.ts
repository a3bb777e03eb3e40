import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchDatabase, type DatabaseKind, onEachDatabase } from './databases.ts';
import { atMost, type Figure, figure, inMs, ms, percentile, whole } from './figure.ts';
import { issueKeys, startApi } from './service.ts';

const ALERTS = 500_000;
const ATTACKERS = 3;
/** A Pro key has 300 a minute. */
const REQUESTS = 290;
const REQUESTS_PER_CONNECTION = 50;
const HANG_UP_MS = 700;
/** Of an attack, and of the time without one before it. */
const ROUND_MS = 3_000;
const ROUNDS = 5;
const AIM = 3;
const ANSWER_AIM_MS = 5_000;

/** What another key asks meanwhile, one after the other: filters that were asked before, and one that never was. */
const ASKED = ['category=politics', 'side=BUY&page=200', 'search=election', 'min_usdc=1000.'];

export function searchOf(index: number): string {
  const asked = ASKED[index % ASKED.length] as string;
  return asked.endsWith('.') ? asked + String(Math.random()).slice(2) : asked;
}

interface Answer {
  readonly status: number;
  readonly ms: number;
}

/** Keys that send all that their minute has and hang up, beside a key that searches. */
export function benchAttack(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using database = await kind.open();
    await database.seed({ after: 0, upto: ALERTS });
    return await measure(kind, database);
  });
}

async function measure(
  { name }: DatabaseKind,
  { url }: Pick<BenchDatabase, 'url'>,
): Promise<readonly Figure[]> {
  const attackers = await issueKeys(url, ATTACKERS * ROUNDS, 'pro');
  await using service = await startApi(url);
  const client = new SearchClient(service.address, service.secret);
  await service.untilArchiveIsRead();
  await client.searchFor(ROUND_MS);
  const [idle, attacked, next]: [Answer[], Answer[], Answer[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(...(await client.searchFor(ROUND_MS)));
    const keys = attackers.slice(round * ATTACKERS, (round + 1) * ATTACKERS);
    const attack = Promise.all(keys.map((key) => attackWith(service.address, key)));
    attacked.push(...(await client.searchFor(ROUND_MS)));
    next.push(...(await attack));
  }
  client.close();
  return figuresOf(name, { idle, attacked, next });
}

/** Sends its requests ahead, hangs up, and resolves with the answer to the next request. */
async function attackWith(address: string, secret: string): Promise<Answer> {
  const paths = Array.from({ length: REQUESTS }, () => {
    const minUsdc = 500 + Math.random();
    return `/api/v1/alerts?search=will&resolved=true&min_usdc=${minUsdc}&page=9000`;
  });
  const sockets: Socket[] = [];
  while (paths.length > 0) sockets.push(sendAhead(address, secret, paths.splice(0, REQUESTS_PER_CONNECTION)));
  await sleep(HANG_UP_MS);
  for (const socket of sockets) socket.destroy();
  const client = new SearchClient(address, secret);
  return client.ask('side=SELL').finally(() => client.close());
}

function sendAhead(address: string, secret: string, paths: readonly string[]): Socket {
  const { port, hostname } = new URL(address);
  const requests = paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${secret}\r\n\r\n`,
  );
  const socket = connect(Number(port), hostname, () => socket.write(requests.join('')));
  socket.on('error', () => {});
  socket.resume();
  return socket;
}

class SearchClient {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(address: string, secret: string) {
    this.#address = address;
    this.#headers = { authorization: `Bearer ${secret}` };
  }

  async searchFor(durationMs: number): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    const until = performance.now() + durationMs;
    while (performance.now() < until) answers.push(await this.ask(searchOf(answers.length)));
    return answers;
  }

  ask(query: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const options = { agent: this.#agent, headers: this.#headers };
      get(`${this.#address}/api/v1/alerts?${query}`, options, (response) => {
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, ms: performance.now() - startedAt }),
        );
        response.resume();
      }).on('error', reject);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

type Measured = Readonly<Record<'idle' | 'attacked' | 'next', readonly Answer[]>>;

function figuresOf(name: string, { idle, attacked, next }: Measured): readonly Figure[] {
  const at = (answers: readonly Answer[], part: number) =>
    percentile(
      answers.map((answer) => answer.ms),
      part,
    );
  const line = (answers: readonly Answer[]) =>
    `p50 ${ms(at(answers, 0.5))}, p99 ${ms(at(answers, 0.99))}, slowest ${ms(at(answers, 1))} of ${statusesOf(answers)}`;
  const ratio = at(attacked, 0.99) / at(idle, 0.99);
  const slowest = at(next, 1);
  return [
    figure(`${name}: another key’s searches, no attack`, line(idle)),
    figure(`${name}: during and after attacks`, line(attacked)),
    figure(`${name}: p99 as a multiple of that without an attack`, ratio.toFixed(2), atMost(ratio, AIM)),
    figure(
      `${name}: the attackers’ next requests, the slowest`,
      `${ms(slowest)} (${statusesOf(next)})`,
      atMost(slowest, ANSWER_AIM_MS, inMs),
    ),
  ];
}

function statusesOf(answers: readonly Answer[]): string {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return Array.from(groups, ([status, { length }]) => `${whole(length)} × ${status}`).join(', ');
}
