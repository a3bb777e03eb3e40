import { openSqliteFile } from '../databases.ts';
import { type Figure, figure, median, progress, seconds, whole } from '../figure.ts';
import { type DeliveryBench, openDeliveryBench } from './delivery-bench.ts';

const RECEIVERS = 500;
const ALERTS = 10;
const ROUNDS = 7;

export async function benchDeliveries(): Promise<readonly Figure[]> {
  await using bench = await openDeliveryBench(await openSqliteFile(), RECEIVERS);
  await deliver(bench);
  const rounds: { readonly perSecond: number; readonly cpuMicroseconds: number }[] = [];
  while (rounds.length < ROUNDS) {
    const [before, startedAt] = [await bench.cpuSeconds(), performance.now()];
    const count = await deliver(bench);
    const perSecond = count / seconds(startedAt);
    rounds.push({ perSecond, cpuMicroseconds: (((await bench.cpuSeconds()) - before) / count) * 1e6 });
    progress(`round ${rounds.length}: ${whole(perSecond)} deliveries/s`);
  }
  const of = (what: 'perSecond' | 'cpuMicroseconds') => whole(median(rounds.map((round) => round[what])));
  return [
    figure(
      `matched, put in the outbox, claimed, signed, sent, outcome written (median of ${ROUNDS} rounds)`,
      `${of('perSecond')} deliveries per second, ${of('cpuMicroseconds')} µs of processor each`,
    ),
  ];
}

/** Publishes alerts; each is sent when all receivers have the last one. Returns the number of deliveries. */
async function deliver(bench: DeliveryBench): Promise<number> {
  for (let alert = 0; alert < ALERTS; alert++) await Promise.all([bench.expect(RECEIVERS), bench.publish()]);
  return ALERTS * RECEIVERS;
}
