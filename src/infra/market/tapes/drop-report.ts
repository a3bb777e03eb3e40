import { LogThrottle } from '../../../core/base/async/failure-log.ts';
import type { DropReason } from '../../../core/trades/source/source.ts';
import type { BadRow } from './bad-row.ts';
import type { SourceDeps } from './source-deps.ts';

const LOG_EVERY_MS = 10_000;

/** Counts every dropped row. Logs at most one of each reason in 10 s, with the number of those not logged since. */
export function createDropReport(
  { clock, logger, onDrop }: Pick<SourceDeps, 'clock' | 'logger' | 'onDrop'>,
  source: string,
): (bad: BadRow, offset: number) => void {
  const throttles = new Map<DropReason, LogThrottle>();
  return ({ reason, detail }, offset) => {
    onDrop(reason);
    const throttle = throttles.get(reason) ?? new LogThrottle(clock, LOG_EVERY_MS);
    throttles.set(reason, throttle);
    const rows = throttle.take();
    if (rows !== null) logger.warn({ source, reason, detail, offset, before: rows - 1 }, 'row dropped');
  };
}
