import { alternate } from '../alternate.ts';
import { openSqliteFile } from '../databases.ts';
import { atLeast, atMost, type Figure, figure, inMs, median, medianOver, ms, whole } from '../figure.ts';
import { type StreamSide, startSide, streamPaths } from './processes.ts';

const CLIENTS = [1_000, 5_000];
const ROUNDS = 7;
const ALERTS = 20;
const AIM = 0.9;
const BLOCK_AIM_MS = 15;

interface Round {
  readonly framesPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly longestBlockMs: number;
}

export async function benchBroadcast(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of CLIENTS) figures.push(...(await contest(count)));
  return figures;
}

async function contest(count: number): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  const paths = await streamPaths(database.url, count);
  await using service = await startSide('service', { DATABASE_URL: database.url });
  await using raw = await startSide('raw', {});
  await service.connect(paths);
  await raw.connect(paths.map(() => '/'));
  const sides = [service, raw];
  for (const side of sides) await round(side, count);
  const [ours = [], theirs = []] = await alternate(sides, {
    rounds: ROUNDS,
    run: (side) => round(side, count),
    describe: (rounds) => {
      const speeds = rounds.map(({ framesPerSecond }) => whole(framesPerSecond)).join(' : ');
      const blocks = rounds.map(({ longestBlockMs }) => ms(longestBlockMs)).join(' : ');
      return `${whole(count)} clients: ${speeds} frames/s, blocks ${blocks}`;
    },
  });
  return figuresOf(`${whole(count)} clients: `, ours, theirs);
}

async function round({ server, clients }: StreamSide, count: number): Promise<Round> {
  await clients.call('pausePings');
  await server.call('reset');
  const before = await server.call('measure');
  let sendingMs = 0;
  for (let alert = 0; alert < ALERTS; alert++) {
    const { bytes, at } = await server.call('publish');
    sendingMs += (await clients.call('expect', bytes * count)) - at;
  }
  const after = await server.call('measure');
  await clients.call('resumePings');
  const frames = ALERTS * count;
  return {
    framesPerSecond: (frames / sendingMs) * 1_000,
    cpuMicroseconds: ((after.cpuSeconds - before.cpuSeconds) / frames) * 1e6,
    longestBlockMs: after.longestBlockMs,
  };
}

function figuresOf(prefix: string, ours: readonly Round[], raw: readonly Round[]): readonly Figure[] {
  const ratio = medianOver(ours, raw, (our, their) => our.framesPerSecond / their.framesPerSecond);
  const cpu = medianOver(ours, raw, (our, their) => their.cpuMicroseconds / our.cpuMicroseconds);
  const longest = (rounds: readonly Round[]) => Math.max(...rounds.map((one) => one.longestBlockMs));
  const block = longest(ours);
  const speed = (rounds: readonly Round[]) =>
    `${whole(median(rounds.map((one) => one.framesPerSecond)))} frames/s, ${median(rounds.map((one) => one.cpuMicroseconds)).toFixed(2)} µs of processor each`;
  return [
    figure(
      `${prefix}frames per second, as a share of a raw loop’s (median of ${ROUNDS} alternating rounds)`,
      ratio.toFixed(3),
      atLeast(ratio, AIM),
    ),
    figure(`${prefix}the same by processor time per frame`, cpu.toFixed(3)),
    figure(`${prefix}the service`, speed(ours)),
    figure(`${prefix}the raw loop`, speed(raw)),
    figure(
      `${prefix}the longest block of the service’s loop in any round`,
      `${ms(block)} (the raw loop’s: ${ms(longest(raw))})`,
      atMost(block, BLOCK_AIM_MS, inMs),
    ),
  ];
}
