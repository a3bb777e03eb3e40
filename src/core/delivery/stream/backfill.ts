import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Alert } from '../../alerts/alert.ts';
import { FailureLog } from '../../base/async/failure-log.ts';
import { retry } from '../../base/async/retry.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import { FramedAlert } from './alert-ring.ts';
import type { StreamClient, StreamHubOptions } from './stream-client.ts';

/** Alerts of one read, which are framed in one turn of the event loop. */
const PAGE_SIZE = 100;
/** Reads at the same time for all clients: a thousand clients that reconnect together must not flood the database. */
const READS_MAX = 4;
const RETRY_MS = 1_000;
/** A read that hangs would keep its slot forever. */
const TIMEOUT_MS = 10_000;
/** Clients that reconnect together share frames, even while these wait in sockets. */
const FRAMES_MAX = 2_000;

/** Reads alerts that clients have missed from the store, one page at a time for each client, first come first served. */
export class StreamBackfill {
  readonly #options: StreamHubOptions;
  readonly #signal: AbortSignal;
  readonly #onPage: (client: StreamClient, page: readonly FramedAlert[]) => void;
  readonly #frames = new LRUCache<number, FramedAlert>({ max: FRAMES_MAX });
  readonly #failures: FailureLog;
  readonly #reads = pLimit(READS_MAX);
  readonly #turns = pLimit(1);

  /**
   * `signal` ends the pauses between attempts. `onPage` gets the alerts after the client's cursor, ascending; an empty page
   * if there are none.
   */
  constructor(
    options: StreamHubOptions,
    signal: AbortSignal,
    onPage: (client: StreamClient, page: readonly FramedAlert[]) => void,
  ) {
    this.#options = options;
    this.#signal = signal;
    this.#onPage = onPage;
    this.#failures = new FailureLog(
      options.logger,
      'alert store unavailable; retrying the reads for stream clients every second',
    );
  }

  /** Reads one page for a client that waits for the store. A failed read is retried until it succeeds. */
  fetch(client: StreamClient): void {
    void this.#reads(() => this.#serve(client));
  }

  async #serve(client: StreamClient): Promise<void> {
    const { clock, defer } = this.#options;
    // Only one read begins per turn of the event loop; a store that answers immediately would otherwise block the loop until all
    // reads are done.
    await this.#turns(() => new Promise<void>((resolve) => defer(resolve)));
    const backoff = { firstMs: RETRY_MS, mostMs: RETRY_MS };
    const options = { clock, signal: this.#signal, backoff, failures: this.#failures };
    // It fails only when the signal has aborted.
    const page = await retry(() => this.#read(client), options).catch(() => null);
    if (page === null || client.isEnded) return;
    this.#onPage(
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
      const known = await withTimeout(limit, alerts.byId(client.claimed));
      if (known !== null) client.cursor = known.id;
      client.claimed = null;
    }
    return withTimeout(limit, alerts.after(client.cursor, PAGE_SIZE));
  }

  #framed(alert: Alert): FramedAlert {
    const entry = this.#frames.get(alert.id) ?? new FramedAlert(alert, this.#options.frames.alert);
    this.#frames.set(alert.id, entry);
    return entry;
  }
}
