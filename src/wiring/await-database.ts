import { retry } from '../core/base/async/retry.ts';
import { DatabaseUnavailable } from '../core/base/database-errors.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { SECOND_MS } from '../core/base/time/duration.ts';
import type { Database } from '../core/database.ts';

const LAST_ATTEMPT_MS = 59 * SECOND_MS;
const BACKOFF = { firstMs: SECOND_MS, mostMs: SECOND_MS };

/** Opens the database, waiting up to 60 s for one that cannot be used yet; the last attempt begins a second before. */
export async function awaitDatabase(
  open: () => Promise<Database>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<Database> {
  const attempt = async () => {
    try {
      return await open();
    } catch (error) {
      if (error instanceof DatabaseUnavailable)
        logger.warn({ reason: error.message }, 'database unavailable; waiting for it for up to 60 s');
      throw error;
    }
  };
  const isFinal = (error: unknown) => !(error instanceof DatabaseUnavailable);
  // The end of the process ends the wait: nothing has been started that must be closed.
  const { signal } = new AbortController();
  return retry(attempt, { clock, signal, backoff: BACKOFF, isFinal, until: clock.now() + LAST_ATTEMPT_MS });
}
