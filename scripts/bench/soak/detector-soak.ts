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
import { cpuSeconds } from '../figure.ts';
import { factsOf, GeneratedVolume, START } from './generated-volume.ts';

const SNAPSHOT_EVERY_MS = MINUTE_MS;
const SAMPLE_EVERY_S = (6 * HOUR_MS) / SECOND_MS;
const NAME = 'soak';

export interface DetectorSample {
  readonly day: number;
  readonly rows: number;
  /** Processor time of the detector, without generating the rows. */
  readonly nsPerRow: number;
  readonly heapMb: number;
  readonly residentMb: number;
  readonly memory: Detector['memory'];
  readonly snapshotBytesPerSecond: number;
  /** In processor time, because the machine may do other work; rows wait meanwhile. */
  readonly longestSnapshotMs: number;
  readonly snapshotShare: number;
}

export async function soakDetector(
  days: number,
  file: string,
  onSample: (sample: DetectorSample) => void,
): Promise<void> {
  await using database = await openDatabase(`sqlite:${file}`);
  const soak = new Soak();
  await soak.open(database);
  for (let second = 0; second < days * (DAY_MS / SECOND_MS); second++) {
    soak.judge(second);
    await soak.snapshot(second + 1);
    if ((second + 1) % SAMPLE_EVERY_S === 0) onSample(soak.sample(second + 1));
  }
}

class Soak {
  readonly #volume = new GeneratedVolume();
  readonly #detector = new Detector(DEFAULT_RULES, { isComplete: false });
  #now = START;
  #rows = 0;
  #judgedUs = 0;
  #snapshotUs = 0;
  #written = 0;
  #longestMs = 0;
  #sampledRows = 0;
  #snapshots: SnapshotWriter | null = null;

  async open({ ingest }: Database): Promise<void> {
    const lease = await ingest.acquire({ owner: 'soak', now: 0, ttlMs: 1, isGone: () => true });
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
    this.#snapshotUs += us;
    this.#longestMs = Math.max(this.#longestMs, us / 1_000);
  }

  #take(trade: Trade, facts: () => WalletFacts): void {
    if (this.#detector.needsFacts(trade, 0))
      this.#detector.judge({ kind: 'wallet', at: null, facts: facts() });
    this.#detector.judge({ kind: 'trade', at: trade.at, trade });
  }

  sample(second: number): DetectorSample {
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
    const sample: DetectorSample = {
      day: (second * SECOND_MS) / DAY_MS,
      rows: this.#rows,
      nsPerRow: (this.#judgedUs * 1_000) / (this.#rows - this.#sampledRows),
      heapMb: (heapUsed + arrayBuffers) / 2 ** 20,
      residentMb: rss / 2 ** 20,
      memory: this.#detector.memory,
      snapshotBytesPerSecond: this.#written / SAMPLE_EVERY_S,
      longestSnapshotMs: this.#longestMs,
      snapshotShare: this.#snapshotUs / 1e6 / SAMPLE_EVERY_S,
    };
    this.#sampledRows = this.#rows;
    this.#judgedUs = 0;
    this.#snapshotUs = 0;
    this.#written = 0;
    this.#longestMs = 0;
    return sample;
  }
}
