import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { type DetectorSample, soakDetector } from '../soak/detector-soak.ts';
import { type ServiceSample, type ServiceSoaked, soakService } from '../soak/service-soak.ts';
import { exactly, type Figure, figure, mean, percent, slopeOf, whole } from './figure.ts';
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
  await using folder = await volumeFolder();
  await soakDetector({ days, rules: DEFAULT_RULES, file: join(folder.path, 'soak.db'), onSample });
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
  await using folder = await volumeFolder();
  return serviceFigures(samples, await soakService({ hours, speed: SPEED, folder: folder.path, onSample }));
}

function volumeFolder() {
  return mkdtempDisposable(join(scratchFolder(), 'tipoff-volume-'));
}

function detectorFigures(samples: readonly DetectorSample[]): readonly Figure[] {
  const warm = samples.filter(({ day }) => day >= WARM_DAYS);
  const [first, last] = [warm.at(0), samples.at(-1)];
  if (first === undefined || last === undefined) return [];
  const heaps = warm.map(({ heapMb }) => heapMb);
  // Of the line through all values, as a share of their mean.
  const growth = (slopeOf([...heaps.entries()]) * (heaps.length - 1)) / mean(heaps);
  const resident = Math.max(...samples.map(({ residentMb }) => residentMb));
  const { evicted, ...entries } = last.memory;
  const { large, small, cluster } = last.planted;
  return [
    figure(`rows judged, ${last.day} days of the market`, whole(last.rows)),
    figure('processor time a row', `${whole(mean(samples.map(({ nsPerRow }) => nsPerRow)))} ns`),
    figure(
      `heap and buffers after a forced collection, day ${first.day} to ${last.day}`,
      `${whole(Math.min(...heaps))} to ${whole(Math.max(...heaps))} MB, trend ${(growth * 100).toFixed(1)} %`,
      { aim: `flat, within ${percent(MOST_GROWTH)}`, isMet: Math.abs(growth) <= MOST_GROWTH },
    ),
    residentFigure('resident memory, at most', resident),
    figure('entries at the end', described(entries)),
    figure('left to make room', described(evicted)),
    snapshotFigure('snapshots each minute', samples),
    figure(
      'the longest snapshot, with a part of the state written whole: processor time, while rows wait and requests do not',
      `${whole(Math.max(...samples.map(({ longestSnapshotMs }) => longestSnapshotMs)))} ms; all together ${(mean(samples.map(({ snapshotShare }) => snapshotShare)) * 100).toFixed(2)} % of a core`,
    ),
    figure(
      'planted accumulators of 5 days found: 6 buys of 600 USDC, 20 buys of 135 USDC',
      `${large}, ${small}`,
      { aim: 'all', isMet: [large, small].every(isAll) },
    ),
    figure('wallets of planted clusters found', cluster, { aim: 'all', isMet: isAll(cluster) }),
  ];
}

function serviceFigures(samples: readonly ServiceSample[], soaked: ServiceSoaked): readonly Figure[] {
  const last = samples.at(-1);
  if (last === undefined) return [];
  const { listed, taken, unlisted, missing, waitedMs, alerts, blindWindows, journalMb } = soaked;
  if (missing.length > 0) progress(`missing: ${JSON.stringify(missing)}`);
  return [
    figure(
      `trades of 0.01 shares or more taken exactly once, ${last.hour} hours of the market`,
      `${whole(taken.once)}; ${taken.missing} missing, ${taken.twice} twice`,
      exactly(taken.once, listed),
    ),
    figure(
      'trades below 0.01 shares, which the market’s list omits, taken from the streams',
      `${unlisted.once} of ${unlisted.once + unlisted.missing}`,
    ),
    figure('waited for the last trade, after the end', `${whole(waitedMs / MINUTE_MS)} minutes`),
    figure('alerts, and windows in which it called itself blind', `${whole(alerts)}, ${blindWindows}`),
    figure(
      'heap and buffers after a forced collection, at the first hour and at the end',
      `${whole(samples.find(({ hour }) => hour >= 1)?.heapMb ?? 0)} MB, ${whole(last.heapMb)} MB`,
    ),
    residentFigure('resident memory, at most', Math.max(...samples.map(({ residentMb }) => residentMb))),
    snapshotFigure('snapshots', samples),
    figure(
      'processor time at the market’s pace',
      `${(mean(samples.map(({ processorShare }) => processorShare)) * 100).toFixed(1)} % of a core`,
    ),
    figure('the journal', `${(journalMb / last.hour).toFixed(1)} MB an hour`),
  ];
}

function residentFigure(what: string, mb: number): Figure {
  const aim = `< ${whole(MOST_RESIDENT_MB)} MB`;
  return figure(what, `${whole(mb)} MB`, { aim, isMet: mb < MOST_RESIDENT_MB });
}

function snapshotFigure(
  what: string,
  samples: readonly { readonly snapshotBytesPerSecond: number }[],
): Figure {
  const bytes = mean(samples.map(({ snapshotBytesPerSecond }) => snapshotBytesPerSecond));
  const aim = { aim: '< 1 MB/s', isMet: bytes < MOST_SNAPSHOT_BYTES };
  return figure(`${what}: written, on average`, `${whole(bytes / 1_000)} KB/s`, aim);
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
