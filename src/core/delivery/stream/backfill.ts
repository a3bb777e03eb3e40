import { LRUCache } from 'lru-cache';
import type { Alert } from '../../alerts/alert.ts';
import type { AlertStore } from '../../alerts/alert-store.ts';
import { FailureLog } from '../../base/async/failure-log.ts';
import { retry } from '../../base/async/retry.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { FramedAlert } from './alert-ring.ts';
import type { Frame, StreamClient } from './stream-client.ts';

/** Alerts of one read, which are framed in one turn of the event loop. */
const PAGE_SIZE = 100;
/** Reads at the same time for all clients: a thousand clients that reconnect together must not flood the database. */
const READS_MAX = 4;
const RETRY_MS = 1_000;
/** A read that hangs would keep its slot forever. */
const TIMEOUT_MS = 10_000;
/** Clients that reconnect together share frames, also while these wait in sockets. */
const FRAMES_MAX = 2_000;

interface StreamBackfillOptions {
  readonly alerts: Pick<AlertStore, 'after' | 'last'>;
  readonly frameOf: (alert: Alert) => Frame;
  readonly clock: Pick<Clock, 'sleep' | 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Ends the pauses between attempts. */
  readonly signal: AbortSignal;
  /** Runs a task in a later turn of the event loop. */
  readonly defer: (task: () => void) => void;
  /** Gets the alerts after the client's cursor, ascending; an empty page if there are none. */
  readonly onPage: (client: StreamClient, page: readonly FramedAlert[]) => void;
}

/** Reads alerts that clients have missed from the store, one page at a time for each client, first come first served. */
export class StreamBackfill {
  readonly #options: StreamBackfillOptions;
  readonly #frames = new LRUCache<number, FramedAlert>({ max: FRAMES_MAX });
  readonly #failures: FailureLog;
  readonly #waiting = new Set<StreamClient>();
  #running = 0;
  #isScheduled = false;

  constructor(options: StreamBackfillOptions) {
    this.#options = options;
    this.#failures = new FailureLog(
      options.logger,
      'alert store unavailable; retrying the reads for stream clients every second',
    );
  }

  /** Reads one page for a client that waits for the store. A failed read is retried until it succeeds. */
  fetch(client: StreamClient): void {
    this.#waiting.add(client);
    this.#schedule();
  }

  forget(client: StreamClient): void {
    this.#waiting.delete(client);
  }

  /** Starts one read in a turn of the event loop: a store that answers immediately would block it for all reads. */
  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0 || this.#running >= READS_MAX) return;
    this.#isScheduled = true;
    this.#options.defer(() => {
      this.#isScheduled = false;
      this.#startNext();
      this.#schedule();
    });
  }

  #startNext(): void {
    const [client] = this.#waiting;
    if (client === undefined) return;
    this.#waiting.delete(client);
    this.#running += 1;
    void this.#serve(client).finally(() => {
      this.#running -= 1;
      this.#schedule();
    });
  }

  async #serve(client: StreamClient): Promise<void> {
    const { clock, signal, onPage } = this.#options;
    const backoff = { firstMs: RETRY_MS, mostMs: RETRY_MS };
    const options = { clock, signal, backoff, failures: this.#failures };
    // It fails only when the signal has aborted.
    const page = await retry(() => this.#read(client), options).catch(() => null);
    if (page !== null && !client.isEnded)
      onPage(
        client,
        page.map((alert) => this.#framed(alert)),
      );
  }

  /** Null if the client has ended. */
  async #read(client: StreamClient): Promise<readonly Alert[] | null> {
    const { alerts, clock } = this.#options;
    const limit = { clock, timeoutMs: TIMEOUT_MS };
    if (client.isEnded) return null;
    if (client.claimed !== null) {
      // The id may be known to another process that is ahead. An id that does not exist is ignored.
      const last = await withTimeout(limit, alerts.last());
      if (last !== null && last.id >= client.claimed) client.cursor = client.claimed;
      client.claimed = null;
    }
    return withTimeout(limit, alerts.after(client.cursor, PAGE_SIZE));
  }

  #framed(alert: Alert): FramedAlert {
    const entry = this.#frames.get(alert.id) ?? new FramedAlert(alert, this.#options.frameOf);
    this.#frames.set(alert.id, entry);
    return entry;
  }
}
