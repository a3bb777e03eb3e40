import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { StreamClient } from './stream-client.ts';

/** Alerts of one read: what is read and framed before the loop has its turn. */
const PAGE = 100;
/** Reads at once over all clients, so that a thousand that come back together do not flood the database. */
const AT_ONCE = 4;
const RETRY_MS = 1_000;
/** A read that takes longer has failed: it would keep its place for ever. */
const TIMEOUT_MS = 10_000;

/** Reads from the store what clients have missed, a page for each in turn. */
export interface StreamBackfill {
  /** Reads one page for a client that waits for the store. A read that fails is tried again until it works. */
  fetch(client: StreamClient): void;
  forget(client: StreamClient): void;
}

interface StreamBackfillDeps {
  readonly alerts: Pick<AlertStore, 'after' | 'last'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Ends the waits between two attempts. */
  readonly signal: AbortSignal;
  /** Runs a task at a later turn of the loop. */
  readonly defer: (task: () => void) => void;
  /** The alerts after the client's cursor, oldest first; none when there are none. */
  readonly onPage: (client: StreamClient, page: readonly Alert[]) => void;
}

/** A catch-up with nobody waiting. Clients are served in the order in which they came. */
export function createStreamBackfill({
  alerts,
  clock,
  logger,
  signal,
  defer,
  onPage,
}: StreamBackfillDeps): StreamBackfill {
  const waiting = new Set<StreamClient>();
  const timer = { clock, timeoutMs: TIMEOUT_MS };
  let running = 0;
  let isScheduled = false;
  let isAway = false;

  /** An id this process has not heard of may be known to another, which is ahead; one that nobody knows counts for nothing. */
  async function settleClaim(client: StreamClient, claimed: number): Promise<void> {
    const last = await withTimeout(timer, alerts.last());
    if (last !== null && last.id >= claimed) client.cursor = claimed;
    client.claimed = null;
  }

  async function serve(client: StreamClient): Promise<void> {
    while (!client.isEnded && !signal.aborted) {
      try {
        if (client.claimed !== null) await settleClaim(client, client.claimed);
        const page = await withTimeout(timer, alerts.after(client.cursor, PAGE));
        isAway = false;
        if (!client.isEnded) onPage(client, page);
        return;
      } catch (error) {
        if (!isAway) logger.warn({ err: error }, 'what stream clients have missed cannot be read for now');
        isAway = true;
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }

  /** One a turn of the loop: a store that answers at once would keep everything else waiting for all of them. */
  function startNext(): void {
    const [client] = waiting;
    if (client === undefined || running >= AT_ONCE) return;
    waiting.delete(client);
    running += 1;
    void serve(client).finally(() => {
      running -= 1;
      schedule();
    });
    schedule();
  }

  function schedule(): void {
    if (isScheduled || waiting.size === 0 || running >= AT_ONCE) return;
    isScheduled = true;
    defer(() => {
      isScheduled = false;
      startNext();
    });
  }

  return {
    fetch(client) {
      waiting.add(client);
      schedule();
    },
    forget: (client) => void waiting.delete(client),
  };
}
