import type { Clock } from '../clock.ts';
import type { Detector } from '../detection/detector.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { Source, SourceRow } from '../source/source.ts';
import type { EpochMs } from '../trade.ts';
import { ceilingOf } from './judge-batch.ts';

const REPORT_EVERY_MS = 10 * SECOND_MS;

interface RebuildDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Rebuilds a detector's state from the rows that an earlier run judged with other rules or another build
 * (`Source.judgedUpTo`). Candidates are dropped: the earlier run has published its own.
 */
export class Rebuild {
  readonly #source: Source;
  readonly #detector: Detector;
  readonly #deps: RebuildDeps;
  #isRunning = true;
  #rows = 0;
  #reportedAt: EpochMs;

  constructor(source: Source, detector: Detector, deps: RebuildDeps) {
    this.#source = source;
    this.#detector = detector;
    this.#deps = deps;
    this.#reportedAt = deps.clock.now();
  }

  /** While true, the state belongs to no offset, and no snapshot may be written. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /**
   * Judges the rows of the earlier run and returns the rows after them, which must be judged as usual: an order that was
   * open at the end of the earlier run is published when one of them closes it.
   */
  take(batch: readonly SourceRow[]): readonly SourceRow[] {
    if (!this.#isRunning) return batch;
    const upTo = this.#source.judgedUpTo ?? 0;
    const count = countJudged(batch, upTo);
    const ceiling = ceilingOf(this.#source, this.#deps.clock);
    for (const { row, acceptedAt } of batch.slice(0, count)) this.#detector.judge(row, acceptedAt ?? ceiling);
    this.#rows += count;
    const reached = batch.at(-1)?.offset ?? 0;
    if (reached >= upTo) this.#end(upTo);
    else this.#report(reached, upTo);
    return batch.slice(count);
  }

  #end(upTo: number): void {
    this.#isRunning = false;
    const fields = { source: this.#source.name, rows: this.#rows, offset: upTo };
    const { logger } = this.#deps;
    if (upTo > 0) logger.info(fields, 'state rebuilt');
    else logger.warn(fields, 'rows before the snapshot are gone; their state is lost');
  }

  #report(offset: number, upTo: number): void {
    const { clock, logger } = this.#deps;
    if (Math.abs(clock.now() - this.#reportedAt) < REPORT_EVERY_MS) return;
    this.#reportedAt = clock.now();
    logger.info({ source: this.#source.name, rows: this.#rows, offset, upTo }, 'rebuilding the state');
  }
}

/** A close row has the offset of the row before it: after the last judged row it closes the orders that the earlier run left open. */
function countJudged(batch: readonly SourceRow[], upTo: number): number {
  const last = batch.findIndex(({ offset }) => offset >= upTo);
  if (last < 0) return batch.length;
  return batch[last]?.offset === upTo ? last + 1 : last;
}
