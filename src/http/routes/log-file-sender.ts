import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '../../core/duration.ts';
import type { MonthSpan } from '../../core/log/log-months.ts';
import { logPages } from '../../core/log/log-pages.ts';
import type { MonthDigests } from '../../core/log/month-digests.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressStream, encodingFor } from '../hooks/compression.ts';
import type { DownloadLimit } from '../hooks/download-limit.ts';
import type { ServerDeps } from '../server-deps.ts';
import { isNotModified, ReadyAnswer } from '../views/ready-answer.ts';

const FIXED = 'public, max-age=31536000, immutable';
const GROWING = 'public, max-age=2';
/** A slower download is cut off: it occupies a place that others wait for. */
const DOWNLOAD_MS = 10 * MINUTE_MS;

/** What is sent of a month; `isFixed`: the same question always gets the same bytes. */
export interface LogFile extends MonthSpan {
  readonly isFixed: boolean;
}

type SenderDeps = Pick<ServerDeps, 'log' | 'archive' | 'clock'>;

/** Sends parts of the log as files, a page of entries at a time, and their digests. */
export class LogFileSender {
  readonly #deps: SenderDeps;
  readonly #digests: MonthDigests;
  readonly #downloads: DownloadLimit;

  constructor(deps: SenderDeps, digests: MonthDigests, downloads: DownloadLimit) {
    this.#deps = deps;
    this.#digests = digests;
    this.#downloads = downloads;
  }

  async sendFile(request: FastifyRequest, reply: FastifyReply, file: LogFile): Promise<FastifyReply> {
    const etag = await this.#etagOf(file);
    const isKnown = isNotModified(request, etag);
    const isRead = !isKnown && request.method !== 'HEAD';
    const leave = isRead ? this.#downloads.acquire(request, reply) : () => {};
    if (leave === null) return reply;
    try {
      // A fault of the first read is answered like any other.
      const pages = isRead ? await begun(this.#pages(request)(file)) : [];
      reply.headers({ etag, vary: 'accept-encoding, origin', 'cache-control': cacheControl(file) });
      if (isKnown) return reply.code(304).send();
      const body = this.#bodyOf(Readable.from(pages), request, reply.type('text/plain; charset=utf-8'), file);
      this.#watch(body, reply, leave);
      return reply.send(body);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async sendDigest(request: FastifyRequest, reply: FastifyReply, file: LogFile): Promise<FastifyReply> {
    const leave = this.#digests.known(file) === null ? this.#downloads.acquire(request, reply) : () => {};
    if (leave === null) return reply;
    try {
      const digest = await this.#digests.of(file, this.#pages(request));
      const text = `${digest}  ${file.month}.jsonl\n`;
      const contentType = 'text/plain; charset=utf-8';
      const options = { contentType, cacheControl: cacheControl(file), vary: 'origin' };
      await new ReadyAnswer(text, options).send(request, reply);
      return reply;
    } finally {
      leave();
    }
  }

  #bodyOf(pages: Readable, request: FastifyRequest, reply: FastifyReply, file: LogFile): Readable {
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding !== null) {
      reply.header('content-encoding', encoding);
      return compressStream(pages, encoding);
    }
    // Of the bytes as they are sent (RFC 9530): of compressed ones it is not known.
    const digest = this.#digests.known(file);
    if (digest !== null) reply.header('repr-digest', `sha-256=:${base64(digest)}:`);
    return pages;
  }

  /** Reads a page when the caller's turn comes, so that a long file holds up no other caller. */
  #pages(request: FastifyRequest) {
    const schedule = scheduleOf(request, this.#deps);
    const read = async (after: number, limit: number) => {
      // SQLite answers in the same turn of the loop, so that a whole file would be one.
      await nextTurn();
      return schedule(() => this.#deps.log.after(after, { limit }));
    };
    return (span: Pick<MonthSpan, 'first' | 'last'>) => logPages(read, span);
  }

  /** The hash of the last entry stands for all that the file holds. */
  async #etagOf({ last }: MonthSpan): Promise<string> {
    const [entry] = await this.#deps.log.after(last - 1, { limit: 1 });
    if (entry === undefined) throw new Error(`the log has no entry ${last}`);
    // Weak: the same tag stands for the compressed bytes.
    return `W/"${entry.hash}"`;
  }

  /** Ends the download with its body, and a body that fails or takes too long with its connection: what was sent is not whole. */
  #watch(body: Readable, { raw }: FastifyReply, leave: () => void): void {
    const over = new AbortController();
    body.once('error', () => raw.destroy());
    body.once('close', () => {
      over.abort();
      leave();
    });
    void this.#deps.clock.sleep(DOWNLOAD_MS, over.signal).then(() => {
      if (!over.signal.aborted) body.destroy(new Error('the download took too long'));
    });
  }
}

function cacheControl({ isFixed }: LogFile): string {
  return isFixed ? FIXED : GROWING;
}

/** The same pages, of which the first has been read. */
async function begun(pages: AsyncGenerator<string, void>): Promise<AsyncIterable<string>> {
  const first = await pages.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* pages;
  })();
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
