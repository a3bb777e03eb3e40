import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../../../test/support/scratch-folder.ts';
import { type Figure, figure, mean, percent, progress, slopeOf, whole } from '../figure.ts';
import { type DetectorSample, soakDetector } from './detector-soak.ts';

const DAYS = 15;
const MOST_RESIDENT_MB = 1_000;
const MOST_SNAPSHOT_BYTES = 1_000_000;
/** Growth of the heap over the second half. */
const MOST_GROWTH = 0.1;
/** The memory of fills and the caps are full by then. */
const WARM_DAYS = 4;

export async function benchSoak(): Promise<readonly Figure[]> {
  const days = Number(process.env['SOAK_DAYS'] ?? DAYS);
  const samples: DetectorSample[] = [];
  const onSample = (sample: DetectorSample) => {
    samples.push(sample);
    progress(`day ${sample.day} of ${days}, resident memory ${whole(sample.residentMb)} MB`);
  };
  await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-soak-'));
  await soakDetector(days, join(folder.path, 'soak.db'), onSample);
  return detectorFigures(samples);
}

function detectorFigures(samples: readonly DetectorSample[]): readonly Figure[] {
  const warm = samples.filter(({ day }) => day >= WARM_DAYS);
  const [first, last] = [warm.at(0), samples.at(-1)];
  if (first === undefined || last === undefined) return [];
  const heaps = warm.map(({ heapMb }) => heapMb);
  // Of the line through all values, as a share of their mean.
  const growth = (slopeOf([...heaps.entries()]) * (heaps.length - 1)) / mean(heaps);
  const resident = Math.max(...samples.map(({ residentMb }) => residentMb));
  const written = mean(samples.map(({ snapshotBytesPerSecond }) => snapshotBytesPerSecond));
  const { evicted, ...entries } = last.memory;
  return [
    figure(`rows judged, ${last.day} days of the market`, whole(last.rows)),
    figure('processor time per row', `${whole(mean(samples.map(({ nsPerRow }) => nsPerRow)))} ns`),
    figure(
      `heap and buffers after a forced collection, day ${first.day} to ${last.day}`,
      `${whole(Math.min(...heaps))} to ${whole(Math.max(...heaps))} MB, trend ${(growth * 100).toFixed(1)} %`,
      { aim: `flat, within ${percent(MOST_GROWTH)}`, isMet: Math.abs(growth) <= MOST_GROWTH },
    ),
    figure('resident memory, at most', `${whole(resident)} MB`, {
      aim: `< ${whole(MOST_RESIDENT_MB)} MB`,
      isMet: resident < MOST_RESIDENT_MB,
    }),
    figure('entries at the end', described(entries)),
    figure('left to make room', described(evicted)),
    figure('snapshots each minute: written, on average', `${whole(written / 1_000)} KB/s`, {
      aim: '< 1 MB/s',
      isMet: written < MOST_SNAPSHOT_BYTES,
    }),
    figure(
      'the longest snapshot, with a part of the state written whole: processor time, while rows wait and requests do not',
      `${whole(Math.max(...samples.map(({ longestSnapshotMs }) => longestSnapshotMs)))} ms; all together ${(mean(samples.map(({ snapshotShare }) => snapshotShare)) * 100).toFixed(2)} % of a core`,
    ),
  ];
}

function described(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${whole(count)} ${name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()}`)
    .join(', ');
}
