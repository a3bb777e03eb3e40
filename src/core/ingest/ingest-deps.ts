import type { Ledger } from '../alerts/ledger/ledger.ts';
import type { UndatedDraft } from '../alerts/ledger/log-drafts.ts';
import type { LogRecorder } from '../alerts/ledger/log-recorder.ts';
import type { LogWriter } from '../alerts/log/log-writer.ts';
import type { LeaseDeps } from '../base/lease/lease.ts';
import type { DetectionRules } from '../detection/rules.ts';
import type { ObservationStore } from '../record/observations/observation-store.ts';
import type { Checkpoint, Source } from '../trades/source/source.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** What the ingest reads, judges by and writes to. */
export interface IngestDeps extends LeaseDeps {
  /** Name of the source, under which the snapshot is stored. */
  readonly sourceName: string;
  /**
   * Called for every run. `isRebuild`: the state at the checkpoint cannot be restored; the source must begin at its start
   * where it still has the rows up to the checkpoint (`Source.judgedUpTo`).
   */
  readonly openSource: (checkpoint: Checkpoint | null, isRebuild: boolean) => Promise<Source>;
  /** While true, nothing more is read from the source; the last batch is held and judged afterwards. */
  readonly isPaused: () => boolean;
  /** As `isPaused`, while alerts cannot be dated. Default: never. */
  readonly isClockUncertain?: () => boolean;
  readonly rules: DetectionRules;
  readonly ledger: Ledger;
  readonly writer: Pick<LogWriter, 'appendAgain'>;
  /** Log entries that every run makes when they changed since the last one: the software and the rules. */
  readonly runEntries: readonly UndatedDraft[];
  /** Runs beside the source, under the same lease. */
  readonly logRecorder: LogRecorder;
  readonly store: SnapshotStore;
  readonly snapshotEveryMs: number;
  readonly observations: ObservationStore;
  readonly metrics: IngestMetrics;
}
