import { createDetector, type Detector } from '../detection/detector.ts';
import { EVICTED_KINDS } from '../detection/memory-use.ts';
import type { DetectionRules } from '../detection/rules.ts';
import { isSameVersion, stateVersionOf } from '../detection/state-version.ts';
import type { Lease } from '../lease/lease-store.ts';
import type { UndatedDraft } from '../ledger/log-drafts.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { Logger } from '../logger.ts';
import type { ObservationStore } from '../observations/observation-store.ts';
import { ObservationWriter } from '../observations/observation-writer.ts';
import { Observer } from '../observations/observer.ts';
import type { Checkpoint, Source, SourceRow } from '../source/source.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { type JudgeDeps, judgeBatch } from './judge-batch.ts';
import { Rebuild } from './rebuild.ts';
import { combinedState } from './snapshot-state.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import { type SnapshotDeps, SnapshotWriter, type StoredCheckpoint } from './snapshot-writer.ts';
import { StoredParts } from './stored-parts.ts';

/** What a run reads, judges by and writes to. */
export interface IngestRunDeps extends SnapshotDeps, JudgeDeps {
  /**
   * Called for every run. `isRebuild`: the state at the checkpoint cannot be continued; the source is to begin at its start
   * where it still has the rows up to the checkpoint (`Source.judgedUpTo`).
   */
  readonly openSource: (checkpoint: Checkpoint | null, isRebuild: boolean) => Promise<Source>;
  readonly rules: DetectionRules;
  readonly writer: Pick<LogWriter, 'appendAgain'>;
  /** What a run enters in the log where it has changed since the last one: the software and the rules. */
  readonly runEntries: readonly UndatedDraft[];
  readonly store: SnapshotDeps['store'] & Pick<SnapshotStore, 'readSnapshot' | 'readChunks'>;
  readonly observations: ObservationStore;
  readonly clock: SnapshotDeps['clock'];
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<
    IngestMetrics,
    | 'rowDropped'
    | 'tradesJudged'
    | 'snapshotWritten'
    | 'detectorEvicted'
    | 'hoursObserved'
    | 'ordersForgotten'
  >;
}

/** One run of the source under one lease. */
export interface IngestRun {
  readonly source: Source;
  readonly detector: Detector;
  /** Judges the rows, publishes what was found in them, and writes a snapshot when it is time. */
  take(batch: readonly SourceRow[]): Promise<void>;
  /** Writes what is not in the snapshot yet. */
  end(): Promise<void>;
}

/**
 * Opens the source where its snapshot stands and restores the detector of that moment. A state that was made by other rules
 * or another build is not continued: the rows it was made of are read again, with nothing published and no snapshot written.
 */
export async function openIngestRun(deps: IngestRunDeps, lease: Lease): Promise<IngestRun> {
  const stored = await deps.store.readSnapshot(deps.sourceName);
  const checkpoint = (stored?.checkpoint ?? null) as StoredCheckpoint | null;
  const sets = stored?.sets ?? [];
  const version = stateVersionOf(deps.rules);
  const isContinuable = sets.length === 0 || isSameVersion(checkpoint?.madeBy, version);
  const source = await deps.openSource(checkpoint, !isContinuable);
  const isResumed = checkpoint !== null && isSameHistory(source, checkpoint);
  const observer = new Observer();
  const detector = createDetector(deps.rules, source, observer);
  const state = combinedState(detector, observer.memory);
  const restored = await StoredParts.restore(deps.store, isResumed && isContinuable ? sets : [], state);
  const observations = new ObservationWriter({ ...deps, store: deps.observations }, lease, observer);
  const flush = () => observations.flush();
  const snapshots = new SnapshotWriter(deps, { lease, source, state, version, stored: restored, flush });
  // The time mapping has to rest before the first alert that is published by it.
  if (!isResumed) await snapshots.writeStart();
  const older = await deps.ledger.open();
  if (older > 0) deps.logger.info({ entries: older }, 'the ledger from before the log was entered in it');
  for (const draft of deps.runEntries)
    await deps.writer.appendAgain({ ...draft, at: source.mapping?.origin ?? deps.clock.now() });
  deps.logger.info({ source: source.name, isResumed, mapping: source.mapping }, 'ingesting');
  const parts = { source, detector, observer, observations, snapshots };
  if (!isResumed || isContinuable) {
    await observations.open();
    return runOf(deps, { ...parts, rebuild: null });
  }
  deps.logger.info(
    { source: source.name, madeBy: checkpoint.madeBy ?? null, version },
    'the snapshot is of other rules or another build; rebuilding its state from the rows before it',
  );
  return runOf(deps, { ...parts, rebuild: new Rebuild(source, detector, deps) });
}

interface RunParts {
  readonly source: Source;
  readonly detector: Detector;
  readonly observer: Observer;
  readonly observations: ObservationWriter;
  readonly snapshots: SnapshotWriter;
  readonly rebuild: Rebuild | null;
}

function runOf(deps: IngestRunDeps, parts: RunParts): IngestRun {
  const { source, detector, observer, observations, snapshots, rebuild } = parts;
  const countForgotten = forgottenCounter(deps, parts);

  async function takeUsual(batch: readonly SourceRow[], offset: number): Promise<void> {
    await judgeBatch(deps, { source, detector, observations }, batch);
    countForgotten();
    await snapshots.after(offset);
  }

  return {
    source,
    detector,
    async take(batch) {
      const offset = batch.at(-1)?.offset ?? 0;
      if (rebuild === null || !rebuild.isRunning) return takeUsual(batch, offset);
      const rest = rebuild.take(batch);
      observer.advance(detector.time);
      if (rebuild.isRunning) return;
      // What the rows before it made of the markets is written already.
      await observations.open();
      await takeUsual(rest, offset);
      // Until it is written every start rebuilds the state anew.
      await snapshots.flush();
    },
    end: () => snapshots.flush(),
  };
}

/** Counts what left the memories of the detector and the observer since it was called last. */
function forgottenCounter({ metrics }: IngestRunDeps, { detector, observer }: RunParts): () => void {
  let { evicted } = detector.memory;
  let { forgotten } = observer.memory.use;
  return () => {
    const [before, ordersBefore] = [evicted, forgotten];
    evicted = detector.memory.evicted;
    forgotten = observer.memory.use.forgotten;
    for (const kind of EVICTED_KINDS)
      if (evicted[kind] > before[kind]) metrics.detectorEvicted(kind, evicted[kind] - before[kind]);
    if (forgotten > ordersBefore) metrics.ordersForgotten(forgotten - ordersBefore);
  };
}

/** Another tape under the same name is another history; a file that grows goes on with what was learnt from it. */
function isSameHistory(source: Source, { identity }: Checkpoint): boolean {
  return source.isLive || source.checkpoint(0).identity === identity;
}
