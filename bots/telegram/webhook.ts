import { createHash, timingSafeEqual } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import type { Update } from 'grammy/types';
import { endsWithin } from '../../src/core/base/async/with-timeout.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';

interface WebhookReceiver {
  /** Expected value of the header `X-Telegram-Bot-Api-Secret-Token`. */
  readonly secret: string;
  take(update: Update): Promise<void>;
}

interface WebhookListenerOptions {
  readonly port: number;
  readonly host: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'error'>;
}

const BODY_BYTES = 256 * 1_024;
/**
 * Telegram gets its answer after this time, also when the update is still handled or waits for its answer: it brings no more
 * updates than it has connections.
 */
const ANSWER_MS = 500;
const REQUEST_MS = 10_000;

/** HTTP listener for updates from Telegram. Several bots share one port, each with its own path. */
export class WebhookListener {
  readonly #options: WebhookListenerOptions;
  readonly #receivers = new Map<string, WebhookReceiver>();
  #opening: Promise<FastifyInstance> | null = null;
  #server: FastifyInstance | null = null;

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

  /** Accepts no more updates for this path; the last path closes the port. `add` threw why it could not be opened. */
  async remove(path: string): Promise<void> {
    this.#receivers.delete(path);
    if (this.#receivers.size > 0) return;
    const server = await this.#opening?.catch(() => null);
    this.#opening = null;
    await server?.close();
  }

  /** 0 while the port is closed. */
  get port(): number {
    const address = this.#server?.server.address() ?? null;
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  async #listen(): Promise<FastifyInstance> {
    const { port, host, clock, logger } = this.#options;
    const server = fastify({ bodyLimit: BODY_BYTES, requestTimeout: REQUEST_MS });
    server.addHook('onRequest', async (request, reply) => {
      const receiver = this.#receivers.get(request.url);
      if (receiver === undefined) return reply.code(404).send();
      if (!isSame(request.headers['x-telegram-bot-api-secret-token'], receiver.secret))
        return reply.code(401).send();
    });
    server.post('/*', async ({ url, body }, reply) => {
      if (!isUpdate(body)) return reply.code(400).send();
      const taken = this.#receivers.get(url)?.take(body);
      if (taken !== undefined) await endsWithin({ clock, timeoutMs: ANSWER_MS }, taken);
      return reply.send();
    });
    await server.listen({ port, host });
    server.server.on('error', (err) => logger.error({ err }, 'the listener for Telegram updates failed'));
    return server;
  }
}

function isSame(given: string | string[] | undefined, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

function isUpdate(body: unknown): body is Update {
  return Number.isSafeInteger((body as { readonly update_id?: unknown } | null)?.update_id);
}
