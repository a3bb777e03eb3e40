import type { BuildLog } from '../mongo/schema.ts';
import { copyRows, type TableReport, type TransferWatch } from './copy-rows.ts';
import { openRowSource, openRowTarget, type RowDatabase } from './open-rows.ts';

/** Moves a database on which no service runs into an empty one, or continues to. */
export async function moveDatabase(
  { from, to }: { readonly from: RowDatabase; readonly to: RowDatabase },
  watch: TransferWatch,
  log: BuildLog,
): Promise<readonly TableReport[]> {
  const source = await openRowSource(from, log, { isFrozen: false, isChecked: true });
  try {
    const target = await openRowTarget(to, log);
    try {
      return await copyRows({ source, target, isStill: true, watch });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
