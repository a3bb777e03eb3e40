import { Pool } from 'undici';
import { alternate, medianOver } from './alternate.ts';
import { onMongo, seed } from './databases.ts';
import { atMost, figure, median, whole } from './figure.ts';
import { ask, askEvenly } from './load.ts';
import { issueKeys, type Server, startApi } from './service.ts';

const ALERTS = 20_000;
const KEYS = 10;
const CONNECTIONS = 30;
const WARM_UP_SECONDS = 3;
const ROUNDS = 5;
const ROUND_SECONDS = 1.5;
const MOST_RATIO = 1.25;
/** The rates are those of each process. */
const LOADS = [
  { what: 'a request of `/alerts/latest`', path: '/api/v1/alerts/latest', perSecond: 800 },
  { what: 'a search', path: '/api/v1/alerts?category=politics&min_signal=80&min_usdc=5000', perSecond: 60 },
];

/** What an answer costs in one process, and in each of two at the same rate. */
export function benchWide(): Promise<readonly string[]> {
  return onMongo(async ({ open }) => {
    await using database = await open();
    await seed(database.url, { after: 0, upto: ALERTS });
    await using first = await startApi(database.url);
    await using second = await startApi(database.url);
    for (const api of [first, second]) await api.untilIndexIsFilled();
    const secrets = await issueKeys(database.url, KEYS);
    const figures: string[] = [];
    for (const { what, path, perSecond } of LOADS) {
      const costOf = (servers: readonly Server[], forSeconds: number) =>
        costUnder({ servers, path, perSecond, secrets, forSeconds });
      await costOf([first, second], WARM_UP_SECONDS);
      const rounds = await alternate([[first], [first, second]], ROUNDS, (servers) =>
        costOf(servers, ROUND_SECONDS),
      );
      const ratio = medianOver(rounds, (ofOne, ofTwo) => ofTwo / ofOne);
      const shown = [rounds.ones, rounds.others].map((costs) => whole(median(costs))).join(' and ');
      figures.push(
        figure(`${what}, one process and two`, `${shown} µs of processor`),
        figure(`${what}: with two processes, as a multiple`, ratio.toFixed(2), atMost(ratio, MOST_RATIO)),
      );
    }
    return figures;
  });
}

interface Load {
  readonly servers: readonly Server[];
  readonly path: string;
  readonly perSecond: number;
  readonly secrets: readonly string[];
  readonly forSeconds: number;
}

/** Processor time of an answer, µs. */
async function costUnder({ servers, path, perSecond, secrets, forSeconds }: Load): Promise<number> {
  const pools = servers.map(({ address }) => new Pool(address, { connections: CONNECTIONS }));
  const before = await cpuOf(servers);
  const end = AbortSignal.timeout(forSeconds * 1_000);
  const answers = await askEvenly(perSecond * servers.length, end, (index) => {
    const headers = { authorization: `Bearer ${secrets[index % secrets.length]}` };
    return ask(pools[index % pools.length] as Pool, path, headers);
  });
  const cpu = (await cpuOf(servers)) - before;
  await Promise.all(pools.map((pool) => pool.close()));
  return (cpu / answers.length) * 1e6;
}

async function cpuOf(servers: readonly Server[]): Promise<number> {
  const each = await Promise.all(servers.map((server) => server.cpuSeconds()));
  return each.reduce((sum, seconds) => sum + seconds, 0);
}
