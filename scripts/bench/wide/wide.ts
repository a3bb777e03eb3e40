import { alternate } from '../alternate.ts';
import { type DatabaseKind, onMongo } from '../databases.ts';
import { atMost, type Figure, figure, medianOver, progress, seconds, whole } from '../figure.ts';
import { issueKeys } from '../service.ts';
import { connectSockets } from './sockets.ts';
import { type Load, openStage, type Side, type Stage } from './stage.ts';
import { costOf, medianUse, NOTHING, restOf, type Use } from './use.ts';
import { alertCost, deliveryCosts } from './workers.ts';

const ALERTS = 20_000;
const PROCESSES = 3;
const LATEST = { path: '/api/v1/alerts/latest', perSecond: 800 };
const SEARCH = { path: '/api/v1/alerts?category=politics&min_signal=80&min_usdc=5000', perSecond: 60 };
const WARM_UP_SECONDS = 5;
const ROUNDS = 5;
const ROUND_SECONDS = 1.5;
const SOCKETS = 5_000;
const FRAMES = 10;
const MIXED = { seconds: 6, alerts: 12 };
const FRESH_KEYS = 40;
const SAME = 1.25;

/** What processes of the API do in a time. Also the processor time of one of each. */
type ApiWork = Readonly<
  Record<'latest' | 'searches' | 'frames' | 'socketSeconds' | 'processSeconds', number>
>;

/** The rounds of one process, of two, and so on. */
type Rounds = readonly (readonly Use[])[];

export function benchWide(): Promise<readonly Figure[]> {
  return onMongo(async (kind) => {
    const ofApi = await apiFigures(kind);
    const deliveries = (await deliveryCosts(kind)).map((cost) => [cost]);
    return [
      ...ofApi,
      figure('an alert, from the tape into the log, 20 per second', shown(await alertCost(kind))),
      ...costFigures('a delivery', [1, 4], deliveries),
    ];
  });
}

async function apiFigures(kind: DatabaseKind): Promise<readonly Figure[]> {
  await using database = await kind.open();
  await database.seed({ after: 0, upto: ALERTS });
  await using stage = await openStage(database.url, PROCESSES);
  const counts = stage.sides.map(({ processes }) => processes);
  const rests: Use[] = [];
  for (const { use } of stage.sides) rests.push(await restOf(use));
  const latest = await requests(stage, rests, LATEST);
  const searches = await requests(stage, rests, SEARCH);
  const [one = NOTHING] = rests;
  const { frames, mixed } = await broadcasts(stage, database.url, {
    latest: medianUse(latest[0] ?? []).service,
    searches: medianUse(searches[0] ?? []).service,
    processSeconds: one.service,
  });
  return [
    ...costFigures('a request of `/alerts/latest`', counts, latest),
    ...costFigures('a search', counts, searches),
    ...costFigures(`a frame to one of ${whole(SOCKETS)} sockets`, counts, frames),
    figure(
      'two processes under requests, searches and frames together: their processor time, as a multiple of what the costs of one process predict',
      mixed.toFixed(2),
      { aim: '0.75 to 1.25', isMet: Math.abs(mixed - 1) <= SAME - 1 },
    ),
    figure('a second of one process at rest', shown(one)),
    ...(await keyFigures(stage, database.url)),
  ];
}

/** Of a request. */
async function requests(
  { sides, loadSecrets: secrets }: Stage,
  rests: readonly Use[],
  load: Pick<Load, 'path' | 'perSecond'>,
): Promise<Rounds> {
  await sides.at(-1)?.send({ ...load, secrets, seconds: WARM_UP_SECONDS });
  return alternate(sides, {
    rounds: ROUNDS,
    run: ({ use, send, processes }) =>
      costOf(use, rests[processes - 1] ?? NOTHING, () => send({ ...load, secrets, seconds: ROUND_SECONDS })),
    describe: (costs) => `${load.path}: ${costs.map(({ service }) => inMicroseconds(service)).join(' : ')}`,
  });
}

/** Of a frame; and the mixed load on two processes, as a multiple of what the costs of one predict. */
async function broadcasts(stage: Stage, url: string, costs: Omit<ApiWork, 'frames' | 'socketSeconds'>) {
  const frames: Use[][] = [];
  let socketSeconds = Number.NaN;
  let mixed = Number.NaN;
  for (const side of stage.sides) {
    await using sockets = await connectSockets(stage, { side, url, count: SOCKETS });
    const rest = await restOf(side.use);
    const cost = await costOf(side.use, rest, () => sockets.publish(FRAMES));
    progress(`a frame, ${side.processes} processes: ${shown(cost)}`);
    frames.push([cost]);
    if (side.processes === 1) socketSeconds = (rest.service - costs.processSeconds) / SOCKETS;
    if (side.processes !== 2) continue;
    const predicting = { ...costs, frames: frames[0]?.[0]?.service ?? Number.NaN, socketSeconds };
    mixed = await mixedRatio({ side, secrets: stage.loadSecrets }, sockets.publish, predicting);
  }
  return { frames, mixed };
}

async function mixedRatio(
  { side, secrets }: { readonly side: Side; readonly secrets: readonly string[] },
  publish: (alerts: number, everyMs: number) => Promise<number>,
  costs: ApiWork,
): Promise<number> {
  const before = await side.use();
  const startedAt = performance.now();
  const load = { secrets, seconds: MIXED.seconds };
  const [latest, searches, frames] = await Promise.all([
    side.send({ ...LATEST, ...load }),
    side.send({ ...SEARCH, ...load }),
    publish(MIXED.alerts, (MIXED.seconds * 1_000) / MIXED.alerts),
  ]);
  const took = seconds(startedAt);
  const measured = (await side.use()).service - before.service;
  const [socketSeconds, processSeconds] = [SOCKETS * took, side.processes * took];
  const work: ApiWork = { latest, searches, frames, socketSeconds, processSeconds };
  // Linear: no work makes another dearer.
  const parts = Object.keys(work) as (keyof ApiWork)[];
  return measured / parts.reduce((sum, part) => sum + costs[part] * work[part], 0);
}

async function keyFigures({ sides }: Stage, url: string): Promise<readonly Figure[]> {
  const { use, send } = sides[0] as Side;
  const rest = await restOf(use);
  const load = { path: `${LATEST.path}?limit=1`, secrets: await issueKeys(url, FRESH_KEYS, 'pro') };
  const first = await costOf(use, rest, () => send({ ...load, perSecond: FRESH_KEYS / 2, seconds: 2 }));
  const later = await costOf(use, rest, () => send({ ...load, perSecond: FRESH_KEYS * 3, seconds: 3 }));
  return [
    figure('the first request with a key, which argon2 verifies', shown(first)),
    figure('a later one with a key of the tier Pro, whose limit all processes share', shown(later)),
  ];
}

function costFigures(what: string, counts: readonly number[], rounds: Rounds): readonly Figure[] {
  const uses = rounds.map(medianUse);
  const [fewest = [], most = []] = [rounds[0], rounds.at(-1)];
  const ratio = medianOver(most, fewest, (of, ofOne) => of.service / ofOne.service);
  const list = counts.join(', ');
  const shares = uses.map(({ service }, index) => whole((counts[index] ?? 0) / service)).join(', ');
  return [
    ...uses.map((use, index) =>
      figure(`${what}, ${counts[index]} ${counts[index] === 1 ? 'process' : 'processes'}`, shown(use)),
    ),
    figure(
      `${what}: processor time of ${counts.at(-1)} processes, as a multiple of one’s`,
      `${ratio.toFixed(2)}; with a core each, ${list} processes do ${shares} per second`,
      atMost(ratio, SAME),
    ),
  ];
}

function shown({ service, nginx, mongod, commands }: Use): string {
  const proxy = nginx > 0 ? `, of nginx ${inMicroseconds(nginx)}` : '';
  return `${inMicroseconds(service)} of processor${proxy}, of mongod ${inMicroseconds(mongod)}; ${Math.max(0, commands).toFixed(2)} commands`;
}

function inMicroseconds(processorSeconds: number): string {
  const value = Math.max(0, processorSeconds * 1e6);
  return `${value < 100 ? value.toFixed(1) : whole(value)} µs`;
}
