import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { Database } from '../../src/core/database.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { stateVersionOf } from '../../src/core/detection/state-chunks.ts';
import { SnapshotWriter, StoredParts } from '../../src/core/ingest/snapshot-writer.ts';
import type { Source } from '../../src/core/trades/source/source.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { noMetrics } from '../../test/support/no-metrics.ts';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { atMost, figure, progress, whole } from './figure.ts';
import { factsOf, GeneratedVolume, START } from './generated-volume.ts';

const DAY_S = DAY_MS / SECOND_MS;
const HOUR_S = HOUR_MS / SECOND_MS;
const MOST_RESIDENT_MB = 1_000;
const MOST_SNAPSHOT_KB = 1_000;
const NAME = 'soak';

/** A day of the market through the detector, whose snapshots are written as the service writes them. */
export async function benchSoak(): Promise<readonly string[]> {
  await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-soak-'));
  await using database = await openDatabase(`sqlite:${join(folder.path, 'soak.db')}`);
  const volume = new GeneratedVolume();
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  const snapshots = await openSnapshots(database, detector);
  const used = { rows: 0, judgedUs: 0, longestSnapshotUs: 0 };
  for (let second = 0; second < DAY_S; second++) {
    const rows = volume.ofSecond(second).map((made) => ({ made, facts: factsOf(made) }));
    const startedAt = process.cpuUsage();
    for (const { made, facts } of rows) {
      // As live: facts are provided before the trade that needs them.
      if (detector.needsFacts(made.trade, 0)) detector.judge({ kind: 'wallet', at: null, facts });
      detector.judge({ kind: 'trade', at: made.trade.at, trade: made.trade });
    }
    used.judgedUs += microsecondsSince(startedAt);
    used.rows += rows.length;
    const wroteAt = process.cpuUsage();
    await snapshots.writer.after(second + 1);
    used.longestSnapshotUs = Math.max(used.longestSnapshotUs, microsecondsSince(wroteAt));
    if (second % HOUR_S === 0) progress(`hour ${second / HOUR_S} of 24`);
  }
  return figuresOf(detector, used, snapshots.written());
}

async function openSnapshots({ ingest: store, lease: leases }: Database, detector: Detector) {
  const lease = await leases.acquire({ owner: NAME, now: 0, ttlMs: 1, isGone: () => true });
  if (lease === null) throw new Error('the lease is held');
  let written = 0;
  const writer = new SnapshotWriter(
    {
      store,
      clock: { now: () => detector.time ?? START, sleep: async () => {} },
      metrics: { ...noMetrics, snapshotWritten: (_ms, length) => (written += length) },
      snapshotEveryMs: MINUTE_MS,
      sourceName: NAME,
    },
    {
      lease,
      source: { checkpoint: (offset) => ({ offset, identity: NAME, mapping: null }) } as Source,
      state: detector,
      time: () => detector.time,
      flush: async () => {},
      version: stateVersionOf(DEFAULT_RULES),
      stored: new StoredParts(),
    },
  );
  return { writer, written: () => written };
}

function microsecondsSince(startedAt: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(startedAt);
  return user + system;
}

function figuresOf(
  { memory }: Detector,
  used: { readonly rows: number; readonly judgedUs: number; readonly longestSnapshotUs: number },
  written: number,
): readonly string[] {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const residentMb = rss / 2 ** 20;
  const writtenKb = written / DAY_S / 1_000;
  const { evicted, ...entries } = memory;
  return [
    figure('rows judged, a day of the market', whole(used.rows)),
    figure('processor time per row', `${whole((used.judgedUs * 1_000) / used.rows)} ns`),
    figure('heap and buffers after a forced collection', `${whole((heapUsed + arrayBuffers) / 2 ** 20)} MB`),
    figure('resident memory', `${whole(residentMb)} MB`, atMost(residentMb, MOST_RESIDENT_MB, ' MB')),
    figure('entries at the end', described(entries)),
    figure('left to make room', described(evicted)),
    figure(
      'snapshots each minute: written, on average',
      `${whole(writtenKb)} KB/s`,
      atMost(writtenKb, MOST_SNAPSHOT_KB, ' KB/s'),
    ),
    figure(
      'the longest snapshot: processor time, while rows wait and requests do not',
      `${whole(used.longestSnapshotUs / 1_000)} ms`,
    ),
  ];
}

function described(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${whole(count)} ${name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()}`)
    .join(', ');
}
