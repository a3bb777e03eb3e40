import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { MINUTE_MS } from '../../src/core/duration.ts';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { type DetectorSample, soakDetector } from '../soak/detector-soak.ts';
import { type ServiceSample, type ServiceSoaked, soakService } from '../soak/service-soak.ts';
import { type Figure, note, whole } from './figure.ts';
import { progress } from './progress.ts';

const DAYS = 15;
const HOURS = 6;
const SPEED = 10;
const MOST_RESIDENT_MB = 1_000;
const MOST_SNAPSHOT_BYTES = 1_000_000;
/** Growth of the heap over the second half. */
const MOST_GROWTH = 0.1;
/** The memory of fills and the caps are full by then. */
const WARM_DAYS = 4;

/** The detector alone. `SOAK_DAYS` shortens it for a trial run. */
export async function benchVolume(): Promise<readonly Figure[]> {
  const days = Number(process.env['SOAK_DAYS'] ?? DAYS);
  const samples: DetectorSample[] = [];
  const onSample = (sample: DetectorSample) => {
    samples.push(sample);
    progress(`day ${sample.day} of ${days}, resident memory ${whole(sample.residentMb)} MB`);
  };
  await inFolder((folder) =>
    soakDetector({ days, rules: DEFAULT_RULES, file: join(folder, 'soak.db'), onSample }),
  );
  return detectorFigures(samples);
}

/** The whole service. `SOAK_HOURS` makes it shorter. */
export async function benchServiceVolume(): Promise<readonly Figure[]> {
  const hours = Number(process.env['SOAK_HOURS'] ?? HOURS);
  const samples: ServiceSample[] = [];
  const onSample = (sample: ServiceSample) => {
    samples.push(sample);
    progress(`hour ${sample.hour} of ${hours}, resident memory ${whole(sample.residentMb)} MB`);
  };
  const soaked = await inFolder((folder) => soakService({ hours, speed: SPEED, folder, onSample }));
  return serviceFigures(samples, soaked);
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(scratchFolder(), 'tipoff-volume-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function detectorFigures(samples: readonly DetectorSample[]): readonly Figure[] {
  const warm = samples.filter(({ day }) => day >= WARM_DAYS);
  const [first, last] = [warm.at(0), samples.at(-1)];
  if (first === undefined || last === undefined) return [];
  const growth = leastSquaresGrowth(warm.map(({ heapMb }) => heapMb));
  const resident = Math.max(...samples.map(({ residentMb }) => residentMb));
  const { evicted, ...entries } = last.memory;
  const { large, small, cluster } = last.planted;
  return [
    note(`rows judged, ${last.day} days of the market`, whole(last.rows)),
    note('processor time a row', `${whole(mean(samples.map(({ nsPerRow }) => nsPerRow)))} ns`),
    {
      what: `heap and buffers after a forced collection, day ${first.day} to ${last.day}`,
      value: `${range(warm.map(({ heapMb }) => heapMb))} MB, trend ${(growth * 100).toFixed(1)} %`,
      aim: `flat, within ${MOST_GROWTH * 100} %`,
      isMet: Math.abs(growth) <= MOST_GROWTH,
    },
    residentFigure('resident memory, at most', resident),
    note('entries at the end', described(entries)),
    note('left to make room', described(evicted)),
    snapshotFigure('snapshots each minute', samples),
    note(
      'the longest snapshot, with a part of the state written whole: processor time, while rows wait and requests do not',
      `${whole(Math.max(...samples.map(({ longestSnapshotMs }) => longestSnapshotMs)))} ms; all together ${(mean(samples.map(({ snapshotShare }) => snapshotShare)) * 100).toFixed(2)} % of a core`,
    ),
    {
      what: 'planted accumulators of 5 days found: 6 buys of 600 USDC, 20 buys of 135 USDC',
      value: `${large}, ${small}`,
      aim: 'all',
      isMet: [large, small].every(isAll),
    },
    { what: 'wallets of planted clusters found', value: cluster, aim: 'all', isMet: isAll(cluster) },
  ];
}

function serviceFigures(samples: readonly ServiceSample[], soaked: ServiceSoaked): readonly Figure[] {
  const last = samples.at(-1);
  if (last === undefined) return [];
  const { listed, taken, unlisted, missing, waitedMs, alerts, blindWindows, journalMb } = soaked;
  if (missing.length > 0) progress(`missing: ${JSON.stringify(missing)}`);
  return [
    {
      what: `trades of 0.01 shares or more taken exactly once, ${last.hour} hours of the market`,
      value: `${whole(taken.once)}; ${taken.missing} missing, ${taken.twice} twice`,
      aim: whole(listed),
      isMet: taken.once === listed,
    },
    note(
      'trades below 0.01 shares, which the market’s list omits, taken from the streams',
      `${unlisted.once} of ${unlisted.once + unlisted.missing}`,
    ),
    note('waited for the last trade, after the end', `${whole(waitedMs / MINUTE_MS)} minutes`),
    note('alerts, and windows in which it called itself blind', `${whole(alerts)}, ${blindWindows}`),
    note(
      'heap and buffers after a forced collection, at the first hour and at the end',
      `${whole(samples.find(({ hour }) => hour >= 1)?.heapMb ?? 0)} MB, ${whole(last.heapMb)} MB`,
    ),
    residentFigure('resident memory, at most', Math.max(...samples.map(({ residentMb }) => residentMb))),
    snapshotFigure('snapshots', samples),
    note(
      'processor time at the market’s pace',
      `${(mean(samples.map(({ processorShare }) => processorShare)) * 100).toFixed(1)} % of a core`,
    ),
    note('the journal', `${(journalMb / last.hour).toFixed(1)} MB an hour`),
  ];
}

function residentFigure(what: string, mb: number): Figure {
  return {
    what,
    value: `${whole(mb)} MB`,
    aim: `< ${whole(MOST_RESIDENT_MB)} MB`,
    isMet: mb < MOST_RESIDENT_MB,
  };
}

function snapshotFigure(
  what: string,
  samples: readonly { readonly snapshotBytesPerSecond: number }[],
): Figure {
  const bytes = mean(samples.map(({ snapshotBytesPerSecond }) => snapshotBytesPerSecond));
  return {
    what: `${what}: written, on average`,
    value: `${whole(bytes / 1_000)} KB/s`,
    aim: '< 1 MB/s',
    isMet: bytes < MOST_SNAPSHOT_BYTES,
  };
}

function described(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${whole(count)} ${name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()}`)
    .join(', ');
}

/** `12 of 12`. */
function isAll(tally: string): boolean {
  const [found, planted] = tally.split(' of ');
  return found === planted;
}

/** By how much the line through the values rises from the first to the last, as a share of their mean. */
function leastSquaresGrowth(values: readonly number[]): number {
  const [meanX, meanY] = [(values.length - 1) / 2, mean(values)];
  const over = values.reduce((sum, value, x) => sum + (x - meanX) * (value - meanY), 0);
  const squares = values.reduce((sum, _value, x) => sum + (x - meanX) ** 2, 0);
  return squares === 0 ? 0 : ((over / squares) * (values.length - 1)) / meanY;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function range(values: readonly number[]): string {
  return `${whole(Math.min(...values))} to ${whole(Math.max(...values))}`;
}
