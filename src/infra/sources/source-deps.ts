import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { DropReason } from '../../core/source/source.ts';
import type { Categorise } from './market-row.ts';

/** What a source of rows is built from. */
export interface SourceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly categorise: Categorise;
  /** Told of every row that was not used, to count it. The source itself logs them, at a bounded rate. */
  onDrop(reason: DropReason, detail: string): void;
}
