import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue, QueueFullError } from '../../core/base/async/fair-queue.ts';
import { withTimeout } from '../../core/base/async/with-timeout.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/base/time/duration.ts';
import { hangUpSignal } from '../hooks/archive-schedule.ts';
import { clientOf } from '../hooks/client-address.ts';
import { sendUnavailable } from '../hooks/errors.ts';
import { refuse } from '../hooks/refuse.ts';

/** Downloads in this process: that run, of one address, and that wait for a slot. */
const MOST = { running: 8, perAddress: 2, waiting: 100 };
/** Longer than a reader who reads nothing keeps a slot, and shorter than proxies wait. */
const WAIT_MS = 25 * SECOND_MS;
const RETRY_SECONDS = 10;

/** Slots for downloads, so that they do not block the database for other requests; in round robin over the addresses. */
export class DownloadSlots {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #queue = new FairQueue({
    running: MOST.running,
    tasksPerCaller: MOST.perAddress,
    waiting: MOST.waiting,
  });

  constructor(clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
  }

  /**
   * Waits for a slot, and returns a function to call when the download ends; null if the request was refused and answered.
   * Rejects when the client hangs up.
   */
  async acquire(request: FastifyRequest, reply: FastifyReply): Promise<(() => void) | null> {
    const caller = clientOf(request.ip);
    const timeoutError = () => new QueueFullError('all');
    const limit = {
      ...{ clock: this.#clock, timeoutMs: WAIT_MS, timeoutError },
      signal: hangUpSignal(request),
    };
    try {
      return await withTimeout(limit, (signal) => this.#start({ caller, signal }));
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      if (error.scope === 'all') sendUnavailable(reply, RETRY_SECONDS);
      else refuse(reply.header('retry-after', RETRY_SECONDS), 'too_many_downloads', REFUSAL);
      return null;
    }
  }

  #start(options: { readonly caller: string; readonly signal: AbortSignal }): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const download = () => new Promise<void>((leave) => resolve(leave));
      this.#queue.run(download, options).catch(reject);
    });
  }
}

const REFUSAL = `Too many simultaneous downloads from this address: at most ${MOST.perAddress}. Wait for one to end.`;

/** A download is looked at so often. */
const WINDOW_MS = 10 * SECOND_MS;
/** Of the file, before compression, in each window; a reader slower than that does not get a month of 60 MB in time. */
export const WINDOW_BYTES_MIN = 1_024 * 1_024;
const WINDOWS_MAX = (10 * MINUTE_MS) / WINDOW_MS;

/** How far a download is. */
export interface DownloadProgress {
  readonly bytes: number;
  /** Whether the client has not read yet what was sent to it. */
  readonly isClientBehind: boolean;
}

/** Destroys a download, which occupies a slot, after 10 minutes, or when its client reads less than `WINDOW_BYTES_MIN` in 10 seconds. */
export async function endSlowDownload(
  body: Readable,
  {
    clock,
    progress,
    signal,
  }: { clock: Pick<Clock, 'sleep'>; progress: () => DownloadProgress; signal: AbortSignal },
): Promise<void> {
  for (let window = 0, from = 0; window < WINDOWS_MAX; window += 1) {
    await clock.sleep(WINDOW_MS, signal);
    if (signal.aborted) return;
    const { bytes, isClientBehind } = progress();
    if (isClientBehind && bytes - from < WINDOW_BYTES_MIN) break;
    from = bytes;
  }
  body.destroy(new Error('the download took too long'));
}
