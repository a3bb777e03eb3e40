import type { Clock } from '../clock.ts';
import type { Detector } from '../detection/detector.ts';
import type { StateVersion } from '../detection/state-version.ts';
import type { IngestStore } from '../ports/ingest-store.ts';
import type { Lease } from '../ports/lease-store.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Checkpoint, Source } from '../ports/source.ts';
import type { EpochMs } from '../trade.ts';

/** Where and how often snapshots are written. */
export interface SnapshotDeps {
  readonly store: Pick<IngestStore, 'writeSnapshot'>;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'snapshotWritten'>;
  readonly snapshotEveryMs: number;
  /** The source's name, under which the snapshot is kept. */
  readonly sourceName: string;
}

/** A checkpoint as it is stored with the state. Builds before state format 3 did not say what made theirs. */
export interface StoredCheckpoint extends Checkpoint {
  readonly madeBy?: StateVersion;
}

/** Under which lease, of which source and detector snapshots are written. */
export interface SnapshotRun {
  readonly lease: Lease;
  readonly source: Source;
  readonly detector: Detector;
  readonly version: StateVersion;
}

/** Writes where the source stands together with what the detector knows there, now and then. */
export interface SnapshotWriter {
  /** The source's start and its time mapping, with no state. */
  writeStart(): Promise<void>;
  /** To be called when all rows up to the offset are judged and their alerts are in the ledger. */
  after(offset: number): Promise<void>;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

/** A snapshot was refused: another process holds the lease by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** A writer for one run of a source under one lease. */
export function createSnapshotWriter(
  { store, clock, metrics, snapshotEveryMs, sourceName }: SnapshotDeps,
  { lease, source, detector, version }: SnapshotRun,
): SnapshotWriter {
  let writtenAt: EpochMs = clock.now();
  let reached: number | null = null;

  async function write(offset: number, chunks: readonly string[] | null): Promise<void> {
    const checkpoint: StoredCheckpoint = { ...source.checkpoint(offset), madeBy: version };
    const isWritten = await store.writeSnapshot(lease, { source: sourceName, checkpoint, chunks });
    if (!isWritten) throw new LeaseLost('the snapshot was refused: another process ingests now');
    writtenAt = clock.now();
    reached = null;
    source.forget?.(offset);
  }

  async function writeState(offset: number): Promise<void> {
    const startedAt = clock.now();
    const chunks: string[] = [];
    for (const chunk of detector.snapshot()) {
      chunks.push(chunk);
      // A large state is read in slices, so that requests are answered in between.
      await clock.sleep(0);
    }
    await write(offset, chunks);
    metrics.snapshotWritten(clock.now() - startedAt);
  }

  return {
    writeStart: () => write(0, null),
    async after(offset) {
      reached = offset;
      if (Math.abs(clock.now() - writtenAt) >= snapshotEveryMs) await writeState(offset);
    },
    async flush() {
      if (reached !== null) await writeState(reached);
    },
  };
}
