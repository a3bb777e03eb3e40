import type { TransferWatch } from '../../../src/infra/database/transfer/copy-rows.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { silentLogger } from '../silent-logger.ts';

export const SILENT_LOG = { clock: systemClock, logger: silentLogger };

/** `afterRows` is called after each write of rows. */
export function watchOf(
  afterRows: () => void = () => {},
  signal = new AbortController().signal,
): TransferWatch {
  return { signal, onTable() {}, onRows: afterRows };
}
