import autocannon from 'autocannon';
import { type BareProcess, startBare } from './bare-process.ts';
import { openSqliteFile } from './databases.ts';
import { type Figure, median, note, whole } from './figure.ts';
import { progress } from './progress.ts';
import { type BenchService, startApi } from './service.ts';

const PATH = '/api/v1/alerts/latest';
const ALERTS = 10_000;
const AIM = 0.85;
const CONNECTIONS = 20;
const WARM_UP_S = 6;
const ROUNDS = 9;
const ROUND_S = 3;

/** One of the two that are compared, each a process of its own. */
interface Side {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  cpuSeconds(): Promise<number>;
}

interface Round {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** The newest alerts with a key, against a route of bare Fastify that sends the same bytes. */
export async function benchLatest(): Promise<readonly Figure[]> {
  const database = await openSqliteFile();
  await database.seed({ after: 0, upto: ALERTS });
  const service = await startApi(database.url);
  const sample = await fetch(service.address + PATH, { headers: service.headers });
  const text = await sample.text();
  const bare = await startBare({ path: PATH, contentType: sample.headers.get('content-type') ?? '', text });
  try {
    return await compare(sidesOf(service, bare), Buffer.byteLength(text));
  } finally {
    await Promise.all([service.stop(), bare.stop()]);
    await database.drop();
  }
}

function sidesOf(service: BenchService, bare: BareProcess): readonly [Side, Side] {
  const { headers } = service;
  // The bare route is sent the key as well: both read the same request.
  return [
    {
      url: service.address + PATH,
      headers,
      cpuSeconds: () => service.metric('process_cpu_seconds_total'),
    },
    { url: bare.address + PATH, headers, cpuSeconds: bare.cpuSeconds },
  ];
}

async function compare([service, bare]: readonly [Side, Side], bytes: number): Promise<readonly Figure[]> {
  for (const side of [bare, service]) await load(side, WARM_UP_S);
  const rounds: { service: Round; bare: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const isServiceFirst = round % 2 === 0;
    const first = await load(isServiceFirst ? service : bare, ROUND_S);
    const second = await load(isServiceFirst ? bare : service, ROUND_S);
    rounds.push(isServiceFirst ? { service: first, bare: second } : { service: second, bare: first });
    const now = rounds.at(-1);
    progress(
      `round ${round + 1}: ${whole(now?.service.perSecond ?? 0)} of ${whole(now?.bare.perSecond ?? 0)} requests/s`,
    );
  }
  const of = (side: 'service' | 'bare', what: keyof Round) =>
    median(rounds.map((round) => round[side][what]));
  const ratio = median(rounds.map((round) => round.service.perSecond / round.bare.perSecond));
  const cpuRatio = median(rounds.map((round) => round.bare.cpuMicroseconds / round.service.cpuMicroseconds));
  return [
    {
      what: `requests a second, as a share of bare Fastify’s (median of ${ROUNDS} alternating rounds)`,
      value: ratio.toFixed(3),
      aim: `≥ ${AIM}`,
      isMet: ratio >= AIM,
    },
    note('the same by processor time a request, which no load generator can hold back', cpuRatio.toFixed(3)),
    note(
      `the service, ${whole(bytes)} bytes an answer, ${CONNECTIONS} connections`,
      `${whole(of('service', 'perSecond'))} requests/s, ${of('service', 'cpuMicroseconds').toFixed(1)} µs of processor each`,
    ),
    note(
      'bare Fastify',
      `${whole(of('bare', 'perSecond'))} requests/s, ${of('bare', 'cpuMicroseconds').toFixed(1)} µs of processor each`,
    ),
  ];
}

async function load({ url, headers, cpuSeconds }: Side, duration: number): Promise<Round> {
  const before = await cpuSeconds();
  const {
    requests,
    non2xx,
    errors,
    duration: taken,
  } = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration,
  });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals and ${errors} errors under load`);
  const cpu = (await cpuSeconds()) - before;
  return { perSecond: requests.total / taken, cpuMicroseconds: (cpu / requests.total) * 1e6 };
}
