import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Update } from 'grammy/types';
import { withTimeout } from '../../src/core/base/async/with-timeout.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';

/** The receiver of the updates of one path. */
export interface WebhookReceiver {
  /** Expected value of the header `X-Telegram-Bot-Api-Secret-Token`. */
  readonly secret: string;
  /** Never throws. */
  take(update: Update): Promise<void>;
}

export interface WebhookListenerOptions {
  readonly port: number;
  /** The address to listen on. */
  readonly host: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'error'>;
  /** Telegram gets its answer after this time, also when the update is still handled or waits for its answer. Default 0.5 s. */
  readonly answerMs?: number;
}

const BODY_BYTES = 256 * 1_024;
/** Telegram waits for it before it brings more updates than it has connections. */
const ANSWER_MS = 500;
const REQUEST_MS = 10_000;

/** HTTP listener for updates from Telegram. Several bots share one port, each with its own path. */
export class WebhookListener {
  readonly #options: WebhookListenerOptions;
  readonly #receivers = new Map<string, WebhookReceiver>();
  #opening: Promise<Server> | null = null;
  #server: Server | null = null;

  constructor(options: WebhookListenerOptions) {
    this.#options = options;
  }

  /** Accepts updates for this path; the first path opens the port. Rejects when the port is unavailable. */
  async add(path: string, receiver: WebhookReceiver): Promise<void> {
    this.#receivers.set(path, receiver);
    this.#opening ??= this.#listen();
    try {
      this.#server = await this.#opening;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }

  /** Accepts no more updates for this path; the last path closes the port. */
  async remove(path: string): Promise<void> {
    this.#receivers.delete(path);
    if (this.#receivers.size > 0 || this.#opening === null) return;
    const opening = this.#opening;
    this.#opening = null;
    const server = await opening.catch(() => null);
    if (server === null) return;
    await new Promise((closed) => {
      server.close(closed);
      server.closeIdleConnections();
    });
  }

  /** 0 while the port is closed. */
  get port(): number {
    const address = this.#server?.address() ?? null;
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async #listen(): Promise<Server> {
    const { port, host, logger } = this.#options;
    const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };
    const server = createServer(limits, (request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host }, resolve);
    });
    server.on('error', (err) => logger.error({ err }, 'the listener for Telegram updates failed'));
    return server;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {});
    response.on('error', () => {});
    const status = await this.#statusOf(request).catch(() => 400);
    if (status === 413) response.setHeader('connection', 'close');
    response.writeHead(status).end();
  }

  async #statusOf(request: IncomingMessage): Promise<number> {
    const receiver = this.#receivers.get(request.url ?? '');
    if (receiver === undefined) return 404;
    if (!isSame(request.headers['x-telegram-bot-api-secret-token'], receiver.secret)) return 401;
    if (request.method !== 'POST') return 405;
    const body = await bodyOf(request);
    if (body === null) return 413;
    const update = toUpdate(body);
    if (update === null) return 400;
    const { clock, answerMs: timeoutMs = ANSWER_MS } = this.#options;
    await withTimeout({ clock, timeoutMs }, receiver.take(update)).catch(() => {});
    return 200;
  }
}

function isSame(given: string | string[] | undefined, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

/** Null for a body that is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toUpdate(body: string): Update | null {
  try {
    const value: unknown = JSON.parse(body);
    const id = (value as { readonly update_id?: unknown } | null)?.update_id;
    return Number.isSafeInteger(id) ? (value as Update) : null;
  } catch {
    return null;
  }
}
