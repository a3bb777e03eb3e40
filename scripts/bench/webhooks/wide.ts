import { type DatabaseKind, onMongo } from '../databases.ts';
import { atMost, exactly, type Figure, figure, median, whole } from '../figure.ts';
import { progress } from '../progress.ts';
import { openWideBench, type WideBench, type WideRun } from './wide-bench.ts';

const WEBHOOKS = 10_000;
const PROCESSES = [1, 4] as const;
const LATE_MS = 2_000;
/** For each process, which sends a share of an alert's deliveries. */
const WARM_UP_ALERTS = 6;
const QUICK_ALERTS = 9;
const LATE_ALERTS = 1;

interface Runs {
  readonly idleMs: number;
  readonly quick: readonly WideRun[];
  readonly late: readonly WideRun[];
}

/** One alert to 10,000 webhooks, delivered by one process and by four. */
export function benchWide(): Promise<readonly Figure[]> {
  return onMongo(async (kind: DatabaseKind) => {
    await using bench = await openWideBench(kind, WEBHOOKS);
    const [one, four] = [await measure(bench, PROCESSES[0]), await measure(bench, PROCESSES[1])];
    return figuresOf(one, four);
  });
}

async function measure(bench: WideBench, processes: number): Promise<Runs> {
  await using services = await bench.start(processes);
  const run = async (delayMs: number, alerts: number) => {
    await services.delay(delayMs);
    const runs: WideRun[] = [];
    for (let alert = 0; alert < alerts; alert++) {
      const one = await services.publish();
      progress(`${processes} processes, receivers after ${delayMs} ms: ${told(one)}`);
      runs.push(one);
    }
    return runs;
  };
  // Compiles what is used: every process makes the same number of deliveries before it is measured.
  await run(0, WARM_UP_ALERTS * processes);
  const idleMs = await services.idleMs();
  return { idleMs, quick: await run(0, QUICK_ALERTS), late: await run(LATE_MS, LATE_ALERTS) };
}

function figuresOf(one: Runs, four: Runs): readonly Figure[] {
  const all = [one, four].flatMap(({ quick, late }) => [...quick, ...late]);
  const most = (of: Runs) => Math.max(...[...of.quick, ...of.late].map(({ inserts }) => inserts));
  const wrong = all.filter(({ sent, delivered }) => sent !== WEBHOOKS || delivered !== WEBHOOKS).length;
  const cpu = middle(four.quick, 'cpuSeconds') / middle(one.quick, 'cpuSeconds');
  const time = middle(four.late, 'seconds') / middle(one.late, 'seconds');
  const shown = (runs: readonly WideRun[]) =>
    `${middle(runs, 'seconds').toFixed(1)} s; processor time ${middle(runs, 'cpuSeconds').toFixed(1)} s, of mongod ${middle(runs, 'serverCpuSeconds').toFixed(1)} s`;
  return [
    figure('inserts of an alert, one process', whole(most(one)), exactly(most(one), WEBHOOKS)),
    figure('inserts of an alert, four processes', whole(most(four)), exactly(most(four), WEBHOOKS)),
    figure('alerts of which a webhook was sent none, or two', whole(wrong), exactly(wrong, 0)),
    figure('receivers that answer immediately, one process', shown(one.quick)),
    figure('receivers that answer immediately, four processes', shown(four.quick)),
    figure('processor time of four processes, as a multiple of one’s', cpu.toFixed(2), atMost(cpu, 1.2)),
    figure(
      'processor time without an alert, of each of four processes',
      `${four.idleMs.toFixed(0)} ms a second`,
    ),
    figure('receivers that answer after 2 s, one process', shown(one.late)),
    figure('receivers that answer after 2 s, four processes', shown(four.late)),
    figure('time of four processes, as a share of one’s', time.toFixed(2), atMost(time, 0.35)),
  ];
}

function told({ inserts, seconds, cpuSeconds, serverCpuSeconds, delivered }: WideRun): string {
  return `${inserts} inserts, ${delivered} delivered in ${seconds.toFixed(1)} s, processor ${cpuSeconds.toFixed(1)} s, mongod ${serverCpuSeconds.toFixed(1)} s`;
}

function middle(runs: readonly WideRun[], field: 'seconds' | 'cpuSeconds' | 'serverCpuSeconds'): number {
  return median(runs.map((run) => run[field]));
}
