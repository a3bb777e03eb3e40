import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { logPages, MonthDigests, type MonthSpan } from '../../core/alerts/log/log-months.ts';
import { FairQueue, QueueFullError } from '../../core/base/async/fair-queue.ts';
import { withTimeout } from '../../core/base/async/with-timeout.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/base/time/duration.ts';
import { hangUpSignal, scheduleOf } from '../hooks/archive-schedule.ts';
import { clientOf } from '../hooks/client-address.ts';
import { compressStream, encodingFor } from '../hooks/compression.ts';
import { refuse, sendUnavailable } from '../hooks/refuse.ts';
import type { ServerDeps } from '../server-deps.ts';
import { isNotModified, ReadyAnswer } from '../views/ready-answer.ts';

const MOST = { running: 8, tasksPerCaller: 2, waiting: 100 };
/** Longer than a reader who reads nothing keeps a slot, and shorter than proxies wait. */
const WAIT_MS = 25 * SECOND_MS;
const RETRY_SECONDS = 10;
const REFUSAL = `Too many simultaneous downloads from this address: at most ${MOST.tasksPerCaller}. Wait for one to end.`;

const WINDOW_MS = 10 * SECOND_MS;
/** Of the file, before compression, in each window; a reader slower than that does not get a month of 60 MB in time. */
export const WINDOW_BYTES_MIN = 1_024 * 1_024;
const WINDOWS_MAX = (10 * MINUTE_MS) / WINDOW_MS;

const TEXT = 'text/plain; charset=utf-8';

/** The part of a month to send. `isFixed`: its bytes never change. */
export interface LogFile extends MonthSpan {
  readonly isFixed: boolean;
}

/** Slots keep downloads from blocking the database for other requests; they are given in round robin over the addresses. */
export class LogDownloads {
  readonly #deps: Pick<ServerDeps, 'log' | 'archive' | 'clock'>;
  readonly #digests = new MonthDigests(() => createHash('sha256'));
  readonly #queue = new FairQueue(MOST);

  constructor(deps: Pick<ServerDeps, 'log' | 'archive' | 'clock'>) {
    this.#deps = deps;
  }

  async sendFile(request: FastifyRequest, reply: FastifyReply, file: LogFile): Promise<FastifyReply> {
    const etag = await this.#etagOf(file);
    const isKnown = isNotModified(request, etag);
    const isRead = !isKnown && request.method !== 'HEAD';
    const leave = isRead ? await this.#acquire(request, reply) : () => {};
    if (leave === null) return reply;
    try {
      const sent = { bytes: 0 };
      const pages = Readable.from(isRead ? counted(this.#pages(request)(file), sent) : []);
      // A fault of the first read can still be answered with a status.
      if (isRead) await once(pages, 'readable');
      reply.headers({ etag, vary: 'accept-encoding, origin', 'cache-control': cacheControl(file) });
      if (isKnown) return reply.code(304).send();
      const body = this.#bodyOf(pages, request, reply.type(TEXT), file);
      this.#watch(body, reply, sent).once('close', leave);
      return reply.send(body);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async sendDigest(request: FastifyRequest, reply: FastifyReply, file: LogFile): Promise<FastifyReply> {
    const leave = this.#digests.known(file) === null ? await this.#acquire(request, reply) : () => {};
    if (leave === null) return reply;
    try {
      const digest = await this.#digests.of(file, this.#pages(request));
      const about = { contentType: TEXT, cacheControl: cacheControl(file), vary: 'origin' };
      await new ReadyAnswer(`${digest}  ${file.month}.jsonl\n`, about).send(request, reply);
      return reply;
    } finally {
      leave();
    }
  }

  /** Gives what frees the slot; null if the request was refused and answered. Rejects when the client hangs up. */
  async #acquire(request: FastifyRequest, reply: FastifyReply): Promise<(() => void) | null> {
    const caller = clientOf(request.ip);
    const timeoutError = () => new QueueFullError('all');
    const { clock } = this.#deps;
    const limit = { clock, timeoutMs: WAIT_MS, timeoutError, signal: hangUpSignal(request) };
    try {
      return await withTimeout(limit, (signal) => {
        const slot = Promise.withResolvers<() => void>();
        const download = () => new Promise<void>(slot.resolve);
        this.#queue.run(download, { caller, signal }).catch(slot.reject);
        return slot.promise;
      });
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      if (error.scope === 'all') sendUnavailable(reply, RETRY_SECONDS);
      else refuse(reply.header('retry-after', RETRY_SECONDS), 'too_many_downloads', REFUSAL);
      return null;
    }
  }

  #bodyOf(pages: Readable, request: FastifyRequest, reply: FastifyReply, file: LogFile): Readable {
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding !== null) {
      reply.header('content-encoding', encoding);
      return compressStream(pages, encoding);
    }
    // RFC 9530: the digest of the bytes sent. It is not known for compressed ones.
    const digest = this.#digests.known(file);
    if (digest !== null)
      reply.header('repr-digest', `sha-256=:${Buffer.from(digest, 'hex').toString('base64')}:`);
    return pages;
  }

  /** Schedules each page for the caller, so that a long file does not block other callers. */
  #pages(request: FastifyRequest) {
    const { searches } = scheduleOf(request, this.#deps);
    const read = async (after: number, limit: number) => {
      // SQLite answers in the same turn of the event loop: a whole file would block it.
      await nextTurn();
      return searches(() => this.#deps.log.after(after, { limit }));
    };
    return (span: Pick<MonthSpan, 'first' | 'last'>) => logPages(read, span);
  }

  /** The hash of the last entry identifies the content of the file. */
  async #etagOf({ last }: MonthSpan): Promise<string> {
    const [entry] = await this.#deps.log.after(last - 1, { limit: 1 });
    if (entry === undefined) throw new Error(`the log has no entry ${last}`);
    // Weak: the compressed forms have the same tag.
    return `W/"${entry.hash}"`;
  }

  /** Destroys the connection if the body fails or is read too slowly, since the file is incomplete. */
  #watch(body: Readable, { raw }: FastifyReply, sent: { readonly bytes: number }): Readable {
    const over = new AbortController();
    const progress = () => ({ bytes: sent.bytes, isClientBehind: raw.writableNeedDrain });
    void endSlowDownload(body, { clock: this.#deps.clock, progress, signal: over.signal });
    return body.once('error', () => raw.destroy()).once('close', () => over.abort());
  }
}

interface DownloadWatch {
  readonly clock: Pick<Clock, 'sleep'>;
  /** `isClientBehind`: the client has not read yet what was sent to it. */
  readonly progress: () => { readonly bytes: number; readonly isClientBehind: boolean };
  readonly signal: AbortSignal;
}

/** Destroys a download, which occupies a slot, after 10 minutes, or when its client reads less than `WINDOW_BYTES_MIN` in 10 seconds. */
export async function endSlowDownload(
  body: Readable,
  { clock, progress, signal }: DownloadWatch,
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

function cacheControl({ isFixed }: LogFile): string {
  return isFixed ? 'public, max-age=31536000, immutable' : 'public, max-age=2';
}

async function* counted(pages: AsyncIterable<string>, sent: { bytes: number }) {
  for await (const page of pages) {
    sent.bytes += Buffer.byteLength(page);
    yield page;
  }
}
