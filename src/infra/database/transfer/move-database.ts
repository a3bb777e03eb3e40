import type { ProgressLog } from '../mongo/progress.ts';
import { moveRows, type TableReport, type TransferWatch } from './copy-rows.ts';
import { openRowSource, openRowTarget, type RowDatabase } from './open-rows.ts';
import { refuseRunning } from './running-processes.ts';

/** Moves a database on which no service runs into an empty one, or continues to. */
export async function moveDatabase(
  { from, to }: { readonly from: RowDatabase; readonly to: RowDatabase },
  watch: TransferWatch,
  log: ProgressLog,
): Promise<readonly TableReport[]> {
  const source = await openRowSource(from, log, { isFrozen: false, isChecked: true });
  try {
    await refuseRunning(source, log.clock.now());
    const target = await openRowTarget(to, log);
    try {
      await refuseRunning(target, log.clock.now());
      return await moveRows({ source, target, watch });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
