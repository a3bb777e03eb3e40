import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Update } from 'grammy/types';
import type { Logger } from '../../src/core/logger.ts';

/** Where Telegram brings updates. Several bots share one port, each with a path of its own. */
export interface WebhookListener {
  /** Takes updates for this path from now on; listens from the first. Rejects when the port cannot be had. */
  add(path: string, receiver: WebhookReceiver): Promise<void>;
  /** Takes none for this path any more; closed with the last. */
  remove(path: string): Promise<void>;
  /** 0 while it does not listen. */
  port(): number;
}

export interface WebhookReceiver {
  /** What the header `X-Telegram-Bot-Api-Secret-Token` has to say. */
  readonly secret: string;
  /** Never throws. */
  take(update: Update): Promise<void>;
}

export interface WebhookListenerDeps {
  readonly port: number;
  readonly logger: Pick<Logger, 'error'>;
  /** Telegram gets its answer then, however long the update takes. */
  readonly answerMs?: number;
}

const BODY_BYTES = 256 * 1_024;
const ANSWER_MS = 10_000;
const REQUEST_MS = 10_000;

export function createWebhookListener(deps: WebhookListenerDeps): WebhookListener {
  const { port, logger, answerMs = ANSWER_MS } = deps;
  const receivers = new Map<string, WebhookReceiver>();
  let server: Promise<Server> | null = null;
  let listening: Server | null = null;

  async function listen(): Promise<Server> {
    const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };
    const opened = createServer(limits, (request, response) => {
      request.on('error', () => {});
      response.on('error', () => {});
      statusOf(request, { receivers, answerMs })
        .catch(() => 400)
        .then((status) => {
          if (status === 413) response.setHeader('connection', 'close');
          response.writeHead(status).end();
        })
        .catch(() => {});
    });
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(port, resolve);
    });
    opened.on('error', (err) => logger.error({ err }, 'the listener for updates of Telegram failed'));
    return opened;
  }

  return {
    async add(path, receiver) {
      receivers.set(path, receiver);
      server ??= listen();
      try {
        listening = await server;
      } catch (error) {
        server = null;
        throw error;
      }
    },
    async remove(path) {
      receivers.delete(path);
      if (receivers.size > 0 || server === null) return;
      const closing = server;
      server = null;
      const opened = await closing.catch(() => null);
      if (opened === null) return;
      await new Promise((closed) => {
        opened.close(closed);
        opened.closeIdleConnections();
      });
    },
    port() {
      const address = listening?.address() ?? null;
      return typeof address === 'object' && address !== null ? address.port : 0;
    },
  };
}

async function statusOf(
  request: IncomingMessage,
  to: { readonly receivers: ReadonlyMap<string, WebhookReceiver>; readonly answerMs: number },
): Promise<number> {
  const receiver = to.receivers.get(request.url ?? '');
  if (receiver === undefined) return 404;
  if (!isSame(request.headers['x-telegram-bot-api-secret-token'], receiver.secret)) return 401;
  if (request.method !== 'POST') return 405;
  const body = await bodyOf(request);
  if (body === null) return 413;
  const update = toUpdate(body);
  if (update === null) return 400;
  await atMost(to.answerMs, receiver.take(update));
  return 200;
}

function isSame(given: string | string[] | undefined, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

/** Null when it is too long. */
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

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
