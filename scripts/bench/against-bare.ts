import { alternate, medianOver } from './alternate.ts';
import { openSqliteFile, seed } from './databases.ts';
import { atLeast, figure, median, ms, whole } from './figure.ts';
import { load, type Round } from './load.ts';
import { startApi, startBare } from './service.ts';

interface Contest {
  readonly path: string;
  readonly alerts: number;
  readonly aim?: number;
}

/** Many short ones: a slow moment of the machine then meets both servers alike. */
const ROUNDS = 31;
const CONNECTIONS = 20;
const WARM_UP_SECONDS = 4;
const ROUND_SECONDS = 0.5;
/** Headers that Node.js and Fastify add to each answer. */
const BY_NODE = ['connection', 'content-length', 'date', 'keep-alive'];

/** Compares the service with a server that has the same answer ready. */
export async function againstBare({ path, alerts, aim }: Contest): Promise<readonly string[]> {
  await using database = await openSqliteFile();
  await seed(database.url, { after: 0, upto: alerts });
  await using service = await startApi(database.url);
  const { address, headers } = service;
  await service.untilIndexIsFilled();
  const sample = await fetch(address + path, { headers });
  const text = await sample.text();
  const sent = Object.fromEntries([...sample.headers].filter(([name]) => !BY_NODE.includes(name)));
  await using bare = await startBare({ path: path.replace(/\?.*/, ''), headers: sent, text });
  const request = { path, headers, connections: CONNECTIONS };
  for (const server of [service, bare]) await load(server, { ...request, forSeconds: WARM_UP_SECONDS });
  const rounds = await alternate([service, bare], ROUNDS, (server) =>
    load(server, { ...request, forSeconds: ROUND_SECONDS }),
  );
  const ratio = medianOver(rounds, (our, their) => our.perSecond / their.perSecond);
  const cpuRatio = medianOver(rounds, (our, their) => their.cpuMicroseconds / our.cpuMicroseconds);
  return [
    figure(
      `requests per second, as a share of bare Fastify’s (median of ${ROUNDS} alternating rounds)`,
      ratio.toFixed(3),
      aim === undefined ? undefined : atLeast(ratio, aim),
    ),
    figure(
      'the same by processor time per request, which no load generator can hold back',
      cpuRatio.toFixed(3),
    ),
    figure(
      `the service, ${whole(Buffer.byteLength(text))} bytes an answer, ${CONNECTIONS} connections`,
      described(rounds.ones),
    ),
    figure('bare Fastify', described(rounds.others)),
  ];
}

function described(rounds: readonly Round[]): string {
  const of = (what: keyof Round) => median(rounds.map((round) => round[what]));
  return `${whole(of('perSecond'))} requests/s, ${of('cpuMicroseconds').toFixed(1)} µs of processor each, p50 ${ms(of('p50Ms'))}, p99 ${ms(of('p99Ms'))}`;
}
