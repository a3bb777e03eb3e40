import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { DropReason } from '../../core/source/source.ts';
import type { Categorise } from './market-row.ts';

/** Dependencies of a tape source. */
export interface SourceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly categorise: Categorise;
  /** Called for every dropped row, to count it. The source itself logs them, at a bounded rate. */
  onDrop(reason: DropReason, detail: string): void;
}
