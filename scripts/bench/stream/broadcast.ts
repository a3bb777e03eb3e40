import { openSqliteFile } from '../databases.ts';
import { type Figure, median, ms, note, whole } from '../figure.ts';
import { progress } from '../progress.ts';
import { streamPaths } from './keys.ts';
import type { ServerKind } from './messages.ts';
import { type StreamClients, type StreamServer, startClients, startServer } from './processes.ts';

const CLIENTS = [1_000, 5_000];
const ROUNDS = 7;
/** Alerts in a round, each published when all clients have the one before. */
const ALERTS = 20;
const AIM = 0.9;
const BLOCK_AIM_MS = 15;

interface Side {
  readonly server: StreamServer;
  readonly clients: StreamClients;
}

interface Round {
  readonly framesPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly longestBlockMs: number;
}

/** The service and a raw loop of `ws` alternate; a process of bare sockets reads. */
export async function benchBroadcast(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of CLIENTS) figures.push(...(await contest(count)));
  return figures;
}

async function contest(count: number): Promise<readonly Figure[]> {
  const database = await openSqliteFile();
  const sides: Side[] = [];
  try {
    const paths = await streamPaths(database.url, count);
    sides.push(await connected('service', database.url, paths));
    sides.push(
      await connected(
        'raw',
        database.url,
        paths.map(() => '/'),
      ),
    );
    const rounds: Round[][] = [[], []];
    for (const side of sides) await round(side, count);
    for (let turn = 0; turn < ROUNDS; turn++) {
      const order = turn % 2 === 0 ? [0, 1] : [1, 0];
      for (const index of order) rounds[index]?.push(await round(sides[index] as Side, count));
      const speeds = rounds.map((of) => whole(of.at(-1)?.framesPerSecond ?? Number.NaN));
      const blocks = rounds.map((of) => ms(of.at(-1)?.longestBlockMs ?? Number.NaN));
      progress(`${whole(count)} clients: ${speeds.join(' : ')} frames/s, blocks ${blocks.join(' : ')}`);
    }
    return figuresOf(count, rounds[0] ?? [], rounds[1] ?? []);
  } finally {
    for (const { server, clients } of sides) await Promise.all([server.stop(), clients.stop()]);
    await database.drop();
  }
}

async function connected(kind: ServerKind, databaseUrl: string, paths: readonly string[]): Promise<Side> {
  const server = await startServer(kind, { DATABASE_URL: databaseUrl });
  const clients = startClients();
  await clients.connect(server.port, paths, { reads: true });
  return { server, clients };
}

async function round({ server, clients }: Side, count: number): Promise<Round> {
  await server.reset();
  const before = await server.measure();
  let sendingMs = 0;
  for (let alert = 0; alert < ALERTS; alert++) {
    const { bytes, at } = await server.publish();
    sendingMs += (await clients.expect(bytes * count)) - at;
  }
  const after = await server.measure();
  const frames = ALERTS * count;
  return {
    framesPerSecond: (frames / sendingMs) * 1_000,
    cpuMicroseconds: ((after.cpuSeconds - before.cpuSeconds) / frames) * 1e6,
    longestBlockMs: after.longestBlockMs,
  };
}

function figuresOf(count: number, ours: readonly Round[], raw: readonly Round[]): readonly Figure[] {
  const prefix = `${whole(count)} clients: `;
  const ratio = median(ours.map((our, at) => our.framesPerSecond / (raw[at]?.framesPerSecond ?? Number.NaN)));
  const cpu = median(ours.map((our, at) => (raw[at]?.cpuMicroseconds ?? Number.NaN) / our.cpuMicroseconds));
  const block = (rounds: readonly Round[]) => Math.max(...rounds.map(({ longestBlockMs }) => longestBlockMs));
  const speed = (rounds: readonly Round[]) =>
    `${whole(median(rounds.map((one) => one.framesPerSecond)))} frames/s, ${median(rounds.map((one) => one.cpuMicroseconds)).toFixed(2)} µs of processor each`;
  return [
    {
      what: `${prefix}frames a second, as a share of a raw loop’s (median of ${ROUNDS} alternating rounds)`,
      value: ratio.toFixed(3),
      aim: `≥ ${AIM}`,
      isMet: ratio >= AIM,
    },
    note(`${prefix}the same by processor time a frame`, cpu.toFixed(3)),
    note(`${prefix}the service`, speed(ours)),
    note(`${prefix}the raw loop`, speed(raw)),
    {
      what: `${prefix}the longest block of the service’s loop in any round`,
      value: `${ms(block(ours))} (the raw loop’s: ${ms(block(raw))})`,
      aim: `≤ ${BLOCK_AIM_MS} ms`,
      isMet: block(ours) <= BLOCK_AIM_MS,
    },
  ];
}
