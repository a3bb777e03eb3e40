import { type ChildProcess, fork } from 'node:child_process';
import { type Figure, median, note, whole } from '../figure.ts';
import { progress } from '../progress.ts';
import { answerOf, end } from '../stream/processes.ts';
import type { BareAnswer, BareOrder } from './bare-undici.ts';
import { type DeliveryBench, openDeliveryBench } from './delivery-bench.ts';

const RECEIVERS = 500;
const ALERTS = 10;
const ROUNDS = 5;
/** The limits of the service, so that both sides have as much in flight and keep connections for as long. */
const BOUNDS = { atOnce: 1_024, connectionsPerHost: 16, keepAliveMs: 1_000 };

interface Round {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** Alerts to 500 receivers over TLS, by the service and by bare undici in turns. */
export async function benchDeliveries(): Promise<readonly Figure[]> {
  const bench = await openDeliveryBench({ good: RECEIVERS });
  const bare = fork(new URL('./bare-undici.ts', import.meta.url), { env: bench.env });
  try {
    await ourRound(bench);
    await bareRound(bench, bare);
    const rounds: { ours: Round[]; bare: Round[] } = { ours: [], bare: [] };
    for (let turn = 0; turn < ROUNDS; turn++) {
      rounds.ours.push(await ourRound(bench));
      rounds.bare.push(await bareRound(bench, bare));
      const speeds = [rounds.ours, rounds.bare].map((of) => whole(of.at(-1)?.perSecond ?? Number.NaN));
      progress(`${RECEIVERS} receivers: ${speeds.join(' : ')} deliveries/s`);
    }
    return figuresOf(rounds.ours, rounds.bare);
  } finally {
    await Promise.all([bench.close(), end(bare)]);
  }
}

async function ourRound(bench: DeliveryBench): Promise<Round> {
  const { service } = bench;
  const before = await service.measure();
  const seconds = await timed(bench, () => service.publish());
  const after = await service.measure();
  return toRound(seconds, after.cpuSeconds - before.cpuSeconds);
}

async function bareRound(bench: DeliveryBench, bare: ChildProcess): Promise<Round> {
  let cpuSeconds = 0;
  const seconds = await timed(bench, async (alert) => {
    const order: BareOrder = { urls: bench.urls.good, alert, ...BOUNDS };
    cpuSeconds += (await answerOf<BareAnswer>(bare, order)).cpuSeconds;
  });
  return toRound(seconds, cpuSeconds);
}

/** An alert is sent when all receivers have the previous one. */
async function timed(bench: DeliveryBench, send: (alert: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let alert = 1; alert <= ALERTS; alert++) await Promise.all([bench.expect(RECEIVERS), send(alert)]);
  return (performance.now() - startedAt) / 1_000;
}

function toRound(seconds: number, cpuSeconds: number): Round {
  const count = ALERTS * RECEIVERS;
  return { perSecond: count / seconds, cpuMicroseconds: (cpuSeconds / count) * 1e6 };
}

function figuresOf(ours: readonly Round[], bare: readonly Round[]): readonly Figure[] {
  const ratio = median(ours.map(({ perSecond }, at) => perSecond / (bare[at]?.perSecond ?? Number.NaN)));
  const told = (rounds: readonly Round[]) =>
    `${whole(median(rounds.map((one) => one.perSecond)))} a second, ${whole(median(rounds.map((one) => one.cpuMicroseconds)))} µs of processor each`;
  return [
    note(
      `deliveries a second to ${RECEIVERS} receivers, as a share of bare undici’s (median of ${ROUNDS} alternating rounds)`,
      ratio.toFixed(3),
    ),
    note('the service: matched, put in the outbox, claimed, signed, sent, its outcome written', told(ours)),
    note('bare undici: sent', told(bare)),
  ];
}
