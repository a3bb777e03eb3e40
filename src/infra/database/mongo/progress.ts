import { repeat } from '../../../core/base/async/repeat.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';

const EVERY_MS = 10_000;

/** Where index builds report their progress. */
export interface ProgressLog {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Does the work, and logs the message every 10 s with the fields and the `seconds` so far. Resolves with the seconds it took. */
export async function withProgress(
  { clock, logger }: ProgressLog,
  { fields, message }: { readonly fields: object; readonly message: string },
  work: () => Promise<unknown>,
): Promise<number> {
  const startedAt = clock.now();
  const seconds = () => Math.round((clock.now() - startedAt) / 1_000);
  const end = new AbortController();
  const report = () => logger.info({ ...fields, seconds: seconds() }, message);
  const { signal } = end;
  const reporting = clock
    .sleep(EVERY_MS, signal)
    .then(() => repeat(report, { clock, signal, intervalMs: EVERY_MS }));
  try {
    await work();
    return seconds();
  } finally {
    end.abort();
    await reporting;
  }
}
