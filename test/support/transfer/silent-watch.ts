import { systemClock } from '../../../src/infra/system-clock.ts';
import type { TransferWatch } from '../../../src/infra/transfer/copy-rows.ts';
import { silentLogger } from '../silent-logger.ts';

export const SILENT_LOG = { clock: systemClock, logger: silentLogger };

/** `afterRows` is called after each write of rows. */
export function watchOf(
  afterRows: () => void = () => {},
  signal = new AbortController().signal,
): TransferWatch {
  return { signal, onTable() {}, onRows: afterRows };
}
