import { alternate } from '../alternate.ts';
import { type Figure, figure, median, medianOver, seconds, whole } from '../figure.ts';
import { Remote } from '../remote.ts';
import type { BareUndici } from './bare-undici.ts';
import { type DeliveryBench, openDeliveryBench } from './delivery-bench.ts';

const RECEIVERS = 500;
const ALERTS = 10;
const ROUNDS = 5;

interface Round {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

export async function benchDeliveries(): Promise<readonly Figure[]> {
  await using bench = await openDeliveryBench(RECEIVERS);
  await using bare = new Remote<BareUndici>(new URL('./bare-undici.ts', import.meta.url), { env: bench.env });
  const sides = [() => ourRound(bench), () => bareRound(bench, bare)];
  for (const round of sides) await round();
  const [ours = [], theirs = []] = await alternate(sides, {
    rounds: ROUNDS,
    run: (round) => round(),
    describe: (rounds) => `${rounds.map(({ perSecond }) => whole(perSecond)).join(' : ')} deliveries/s`,
  });
  return figuresOf(ours, theirs);
}

async function ourRound(bench: DeliveryBench): Promise<Round> {
  const { service } = bench;
  const before = await service.call('measure');
  const took = await timed(bench, () => service.call('publish'));
  const after = await service.call('measure');
  return toRound(took, after.cpuSeconds - before.cpuSeconds);
}

async function bareRound(bench: DeliveryBench, bare: Remote<BareUndici>): Promise<Round> {
  let cpuSeconds = 0;
  const took = await timed(bench, async (alert) => {
    cpuSeconds += await bare.call('post', bench.urls, alert);
  });
  return toRound(took, cpuSeconds);
}

async function timed(bench: DeliveryBench, send: (alert: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let alert = 1; alert <= ALERTS; alert++) await Promise.all([bench.expect(RECEIVERS), send(alert)]);
  return seconds(startedAt);
}

function toRound(took: number, cpuSeconds: number): Round {
  const count = ALERTS * RECEIVERS;
  return { perSecond: count / took, cpuMicroseconds: (cpuSeconds / count) * 1e6 };
}

function figuresOf(ours: readonly Round[], bare: readonly Round[]): readonly Figure[] {
  const ratio = medianOver(ours, bare, (our, their) => our.perSecond / their.perSecond);
  const told = (rounds: readonly Round[]) =>
    `${whole(median(rounds.map((one) => one.perSecond)))} a second, ${whole(median(rounds.map((one) => one.cpuMicroseconds)))} µs of processor each`;
  return [
    figure(
      `deliveries a second to ${RECEIVERS} receivers, as a share of bare undici’s (median of ${ROUNDS} alternating rounds)`,
      ratio.toFixed(3),
    ),
    figure('the service: matched, put in the outbox, claimed, signed, sent, its outcome written', told(ours)),
    figure('bare undici: sent', told(bare)),
  ];
}
