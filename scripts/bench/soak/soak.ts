import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { stateVersionOf } from '../../../src/core/detection/state-chunks.ts';
import { SnapshotWriter, StoredParts } from '../../../src/core/ingest/snapshot-writer.ts';
import type { Source } from '../../../src/core/trades/source/source.ts';
import type { Trade, WalletFacts } from '../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { noMetrics } from '../../../test/support/no-metrics.ts';
import { scratchFolder } from '../../../test/support/scratch-folder.ts';
import { atMost, cpuSeconds, type Figure, figure, progress, whole } from '../figure.ts';
import { factsOf, GeneratedVolume, START } from './generated-volume.ts';

const SNAPSHOT_EVERY_MS = MINUTE_MS;
const DAY_S = DAY_MS / SECOND_MS;
const HOUR_S = HOUR_MS / SECOND_MS;
const MOST_RESIDENT_MB = 1_000;
const MOST_SNAPSHOT_KB = 1_000;
const NAME = 'soak';

export async function benchSoak(): Promise<readonly Figure[]> {
  await using folder = await mkdtempDisposable(join(scratchFolder(), 'tipoff-soak-'));
  await using database = await openDatabase(`sqlite:${join(folder.path, 'soak.db')}`);
  const soak = new Soak();
  await soak.open(database);
  for (let second = 0; second < DAY_S; second++) {
    soak.judge(second);
    await soak.snapshot(second + 1);
    if (second % HOUR_S === 0) progress(`hour ${second / HOUR_S} of 24`);
  }
  return soak.figures();
}

class Soak {
  readonly #volume = new GeneratedVolume();
  readonly #detector = new Detector(DEFAULT_RULES, { isComplete: false });
  #now = START;
  #rows = 0;
  #judgedUs = 0;
  #written = 0;
  #longestMs = 0;
  #snapshots: SnapshotWriter | null = null;

  async open({ ingest, lease: leases }: Database): Promise<void> {
    const lease = await leases.acquire({ owner: 'soak', now: 0, ttlMs: 1, isGone: () => true });
    if (lease === null) throw new Error('the lease is held');
    this.#snapshots = new SnapshotWriter(
      {
        store: ingest,
        clock: { now: () => this.#now, sleep: async () => {} },
        metrics: { ...noMetrics, snapshotWritten: (_ms, length) => (this.#written += length) },
        snapshotEveryMs: SNAPSHOT_EVERY_MS,
        sourceName: NAME,
      },
      {
        lease,
        source: { checkpoint: (offset) => ({ offset, identity: NAME, mapping: null }) } as Source,
        state: this.#detector,
        time: () => this.#detector.time,
        flush: async () => {},
        version: stateVersionOf(DEFAULT_RULES),
        stored: new StoredParts(),
      },
    );
  }

  /** As live: facts are provided before the trade that needs them. */
  judge(second: number): void {
    this.#now = START + second * SECOND_MS;
    const rows = [...this.#volume.ofSecond(second)].map((made) => ({
      trade: made.trade,
      facts: () => factsOf(made),
    }));
    const startedAt = process.cpuUsage();
    for (const { trade, facts } of rows) this.#take(trade, facts);
    this.#judgedUs += cpuSeconds(startedAt) * 1e6;
    this.#rows += rows.length;
  }

  async snapshot(second: number): Promise<void> {
    const startedAt = process.cpuUsage();
    await this.#snapshots?.after(second);
    const us = cpuSeconds(startedAt) * 1e6;
    this.#longestMs = Math.max(this.#longestMs, us / 1_000);
  }

  #take(trade: Trade, facts: () => WalletFacts): void {
    if (this.#detector.needsFacts(trade, 0))
      this.#detector.judge({ kind: 'wallet', at: null, facts: facts() });
    this.#detector.judge({ kind: 'trade', at: trade.at, trade });
  }

  figures(): readonly Figure[] {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
    const residentMb = rss / 2 ** 20;
    const bytesPerSecond = this.#written / DAY_S;
    const { evicted, ...entries } = this.#detector.memory;
    return [
      figure('rows judged, a day of the market', whole(this.#rows)),
      figure('processor time per row', `${whole((this.#judgedUs * 1_000) / this.#rows)} ns`),
      figure(
        'heap and buffers after a forced collection',
        `${whole((heapUsed + arrayBuffers) / 2 ** 20)} MB`,
      ),
      figure('resident memory', `${whole(residentMb)} MB`, atMost(residentMb, MOST_RESIDENT_MB, inMb)),
      figure('entries at the end', described(entries)),
      figure('left to make room', described(evicted)),
      figure(
        'snapshots each minute: written, on average',
        `${whole(bytesPerSecond / 1_000)} KB/s`,
        atMost(bytesPerSecond / 1_000, MOST_SNAPSHOT_KB, (kb) => `${kb} KB/s`),
      ),
      figure(
        'the longest snapshot: processor time, while rows wait and requests do not',
        `${whole(this.#longestMs)} ms`,
      ),
    ];
  }
}

function inMb(value: number): string {
  return `${value} MB`;
}

function described(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${whole(count)} ${name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()}`)
    .join(', ');
}
