import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import type { Checkpoint, DropReason } from '../../../core/trades/source/source.ts';

export interface SourceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called for every dropped row, to count it. The source itself logs them, at a bounded rate. */
  onDrop(reason: DropReason): void;
}

/** Where a source begins: after its checkpoint, or with `isRebuild` at the start of the checkpoint's tape. */
export interface SourceStart {
  readonly checkpoint: Checkpoint | null;
  /** Reads the checkpoint's tape from its start again (`Source.judgedUpTo`). */
  readonly isRebuild?: boolean;
}

export function tapeSourceName(kind: 'replay' | 'tail', file: string): string {
  return `${kind}:${file}`;
}
