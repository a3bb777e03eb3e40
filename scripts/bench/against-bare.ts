import { alternate } from './alternate.ts';
import type { BareServer } from './bare-server.ts';
import { openSqliteFile } from './databases.ts';
import { atLeast, type Figure, figure, median, medianOver, ms, whole } from './figure.ts';
import { load, type Round, type Side } from './load.ts';
import { Remote } from './remote.ts';
import { startApi } from './service.ts';

interface Effort {
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly roundSeconds: number;
}

interface Contest extends Effort {
  readonly path: string;
  readonly alerts: number;
  readonly aim?: number;
}

/** Headers that Node.js and Fastify add to each answer. */
const BY_NODE = new Set(['connection', 'content-length', 'date', 'keep-alive']);

export async function againstBare({ path, alerts, aim, ...effort }: Contest): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  await database.seed({ after: 0, upto: alerts });
  await using service = await startApi(database.url);
  const { address, headers } = service;
  await service.untilArchiveIsRead();
  const sample = await fetch(address + path, { headers });
  const text = await sample.text();
  if (sample.status !== 200) throw new Error(`${path} was answered ${sample.status}: ${text}`);
  await using bare = new Remote<BareServer>(new URL('./bare-server.ts', import.meta.url));
  const sent = Object.fromEntries([...sample.headers].filter(([name]) => !BY_NODE.has(name)));
  const bareAddress = await bare.call('listen', { path: path.split('?', 1)[0] ?? path, headers: sent, text });
  const sides: readonly Side[] = [
    { url: address + path, headers, cpuSeconds: service.cpuSeconds },
    { url: bareAddress + path, headers, cpuSeconds: () => bare.call('cpuSeconds') },
  ];
  const { ours, theirs } = await loadInTurns(sides, effort);
  const ratio = medianOver(ours, theirs, (our, their) => our.perSecond / their.perSecond);
  const cpuRatio = medianOver(ours, theirs, (our, their) => their.cpuMicroseconds / our.cpuMicroseconds);
  const bytes = whole(Buffer.byteLength(text));
  return [
    figure(
      `requests per second, as a share of bare Fastify’s (median of ${effort.rounds} alternating rounds)`,
      ratio.toFixed(3),
      aim === undefined ? undefined : atLeast(ratio, aim),
    ),
    figure(
      'the same by processor time per request, which no load generator can hold back',
      cpuRatio.toFixed(3),
    ),
    figure(`the service, ${bytes} bytes an answer, ${effort.connections} connections`, described(ours)),
    figure('bare Fastify', described(theirs)),
  ];
}

async function loadInTurns(sides: readonly Side[], effort: Effort) {
  for (const side of sides) await load(side, effort.warmUpSeconds, effort.connections);
  const [ours = [], theirs = []] = await alternate(sides, {
    rounds: effort.rounds,
    run: (side) => load(side, effort.roundSeconds, effort.connections),
    describe: (rounds) => `${rounds.map(({ perSecond }) => whole(perSecond)).join(' : ')} requests/s`,
  });
  return { ours, theirs };
}

function described(rounds: readonly Round[]): string {
  const of = (what: keyof Round) => median(rounds.map((round) => round[what]));
  return `${whole(of('perSecond'))} requests/s, ${of('cpuMicroseconds').toFixed(1)} µs of processor each, p50 ${ms(of('p50Ms'))}, p99 ${ms(of('p99Ms'))}`;
}
