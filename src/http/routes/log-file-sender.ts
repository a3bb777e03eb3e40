import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { logPages, type MonthDigests, type MonthSpan } from '../../core/alerts/log/log-months.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressStream, encodingFor } from '../hooks/compression.ts';
import type { ServerDeps } from '../server-deps.ts';
import { isNotModified, ReadyAnswer } from '../views/ready-answer.ts';
import { type DownloadSlots, endSlowDownload } from './download-slots.ts';

const FIXED = 'public, max-age=31536000, immutable';
const GROWING = 'public, max-age=2';

/** The part of a month to send. `isFixed`: its bytes never change. */
export interface LogFile extends MonthSpan {
  readonly isFixed: boolean;
}

type SenderDeps = Pick<ServerDeps, 'log' | 'archive' | 'clock'>;

/** Sends parts of the log as files, page by page, and their digests. */
export class LogFileSender {
  readonly #deps: SenderDeps;
  readonly #digests: MonthDigests;
  readonly #slots: DownloadSlots;

  constructor(deps: SenderDeps, digests: MonthDigests, slots: DownloadSlots) {
    this.#deps = deps;
    this.#digests = digests;
    this.#slots = slots;
  }

  async sendFile(request: FastifyRequest, reply: FastifyReply, file: LogFile): Promise<FastifyReply> {
    const etag = await this.#etagOf(file);
    const isKnown = isNotModified(request, etag);
    const isRead = !isKnown && request.method !== 'HEAD';
    const leave = isRead ? await this.#slots.acquire(request, reply) : () => {};
    if (leave === null) return reply;
    try {
      // A fault of the first read can still be answered with a status.
      const pages = isRead ? await begun(this.#pages(request)(file)) : [];
      reply.headers({ etag, vary: 'accept-encoding, origin', 'cache-control': cacheControl(file) });
      if (isKnown) return reply.code(304).send();
      const sent = { bytes: 0 };
      const source = Readable.from(counted(pages, sent));
      const body = this.#bodyOf(source, request, reply.type('text/plain; charset=utf-8'), file);
      this.#watch(body, { reply, leave, sent });
      return reply.send(body);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async sendDigest(request: FastifyRequest, reply: FastifyReply, file: LogFile): Promise<FastifyReply> {
    const isKnown = this.#digests.known(file) !== null;
    const leave = isKnown ? () => {} : await this.#slots.acquire(request, reply);
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
    // RFC 9530: the digest of the bytes sent. It is not known for compressed ones.
    const digest = this.#digests.known(file);
    if (digest !== null) reply.header('repr-digest', `sha-256=:${base64(digest)}:`);
    return pages;
  }

  /** Schedules each page for the caller, so that a long file does not block other callers. */
  #pages(request: FastifyRequest) {
    const schedule = scheduleOf(request, this.#deps).searches;
    const read = async (after: number, limit: number) => {
      // SQLite answers in the same turn of the event loop: a whole file would block it.
      await nextTurn();
      return schedule(() => this.#deps.log.after(after, { limit }));
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

  /** Frees the slot when the body ends. Destroys the connection if the body fails or is read too slowly, since the file is incomplete. */
  #watch(
    body: Readable,
    { reply, leave, sent }: { reply: FastifyReply; leave: () => void; sent: { readonly bytes: number } },
  ): void {
    const over = new AbortController();
    const { raw } = reply;
    body.once('error', () => raw.destroy());
    body.once('close', () => {
      over.abort();
      leave();
    });
    const { clock } = this.#deps;
    const progress = () => ({ bytes: sent.bytes, isClientBehind: raw.writableNeedDrain });
    void endSlowDownload(body, { clock, progress, signal: over.signal });
  }
}

function cacheControl({ isFixed }: LogFile): string {
  return isFixed ? FIXED : GROWING;
}

/** The same pages; the first has been read. */
async function begun(pages: AsyncGenerator<string, void>): Promise<AsyncIterable<string>> {
  const first = await pages.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* pages;
  })();
}

async function* counted(
  pages: AsyncIterable<string> | Iterable<string>,
  sent: { bytes: number },
): AsyncGenerator<string, void> {
  for await (const page of pages) {
    sent.bytes += Buffer.byteLength(page);
    yield page;
  }
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
