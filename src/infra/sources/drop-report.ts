import type { DropReason } from '../../core/source/source.ts';
import type { EpochMs } from '../../core/trade.ts';
import type { BadRow } from './bad-row.ts';
import type { SourceDeps } from './source-deps.ts';

const LOG_EVERY_MS = 10_000;

/** Counts every bad row, and logs at most one of each reason in ten seconds, with how many came since the last. */
export function createDropReport(
  { clock, logger, onDrop }: Pick<SourceDeps, 'clock' | 'logger' | 'onDrop'>,
  source: string,
): (bad: BadRow, offset: number) => void {
  const logged = new Map<DropReason, { at: EpochMs; silent: number }>();
  return ({ reason, detail }, offset) => {
    onDrop(reason, detail);
    const last = logged.get(reason);
    const now = clock.now();
    if (last !== undefined && now - last.at < LOG_EVERY_MS) {
      last.silent += 1;
      return;
    }
    logged.set(reason, { at: now, silent: 0 });
    logger.warn({ source, reason, detail, offset, before: last?.silent ?? 0 }, 'a row was dropped');
  };
}
