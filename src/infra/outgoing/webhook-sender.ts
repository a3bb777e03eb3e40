import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Agent, Dispatcher } from 'undici';
import { withTimeout } from '../../core/base/async/with-timeout.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { AttemptResult, DeliveryError } from '../../core/delivery/webhooks/delivery.ts';
import type { WebhookMessage, WebhookSender } from '../../core/delivery/webhooks/webhook.ts';
import { type IsPublicAddress, webhookUrlProblem } from '../../core/delivery/webhooks/webhook-url.ts';
import { createAgent } from './agent.ts';
import { AttemptFailure, codeOf, requestFailure } from './attempt-failure.ts';
import {
  createGuardedConnect,
  createPublicResolver,
  type ResolveHost,
  resolveAnyHost,
} from './guarded-connect.ts';
import { USER_AGENT } from './user-agent.ts';

export interface WebhookSenderOptions {
  /** Null lets deliveries go to any address, for development. */
  readonly isPublic: IsPublicAddress | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly resolve?: ResolveHost;
  /** For one attempt; default: the contract's 5 seconds. */
  readonly timeoutMs?: number;
}

/** Contract, Webhook acknowledgement: "200 status within 5 seconds, no retry". */
const TIMEOUT_MS = 5_000;
const OK = 200;
const LOGGED_CHARACTERS = 200;

/**
 * Some receivers close idle connections after 2 seconds without saying so (gunicorn, for one), and a request that meets
 * that moment is lost: an idle connection is kept for 1 second. Where the receiver names its time, for a second less
 * than that, 2 seconds at most.
 */
const KEEP_ALIVE = { keepAliveTimeout: 1_000, keepAliveMaxTimeout: 2_000, keepAliveTimeoutThreshold: 1_000 };
const CONNECTIONS_PER_ORIGIN = 16;
const MAX_KEYS = 1_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_BODY_BYTES = 1_024;
const MAX_ANSWER_BYTES = 256 * 1_024;
/** For the body of an answer: other deliveries need the connection. */
const BODY_MS = 500;

/** Sends over TLS and HTTP/1.1, each message once. Follows no redirects and uses no proxy. */
export class HttpWebhookSender implements WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #agent: Agent;
  /** HMAC with a `KeyObject` is several times faster than with the bytes of the key. */
  readonly #keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS, memoMethod: keyOf });

  constructor(options: WebhookSenderOptions) {
    const { isPublic, resolve } = options;
    this.#options = options;
    this.#agent = createAgent({
      ...KEEP_ALIVE,
      connections: CONNECTIONS_PER_ORIGIN,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: MAX_BODY_BYTES,
      connect: createGuardedConnect({
        resolve: resolve ?? (isPublic === null ? resolveAnyHost : createPublicResolver()),
        isPublic,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      }),
    });
  }

  async send(message: WebhookMessage): Promise<AttemptResult> {
    const startedAt = performance.now();
    const result = (status: number | null, error: DeliveryError | null): AttemptResult => ({
      status,
      error,
      durationMs: Math.round(performance.now() - startedAt),
    });
    try {
      const status = await this.#post(message);
      const answered = result(status, errorOfStatus(status));
      // undici takes a connection for the next request from the next turn of the event loop on.
      await nextTurn();
      return answered;
    } catch (error) {
      return result(null, this.#errorOf(error, message.url));
    }
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #post(message: WebhookMessage): Promise<number> {
    const { isPublic, clock, timeoutMs = TIMEOUT_MS } = this.#options;
    refuseTarget(message.url, isPublic);
    const { origin, pathname, search } = new URL(message.url);
    const body = Buffer.from(message.body);
    const headers = this.#headersOf(message, body);
    const limit = { clock, timeoutMs, timeoutError };
    return await withTimeout(limit, (signal) => {
      const handler = new StatusHandler(BODY_MS, signal);
      const options = { origin, path: pathname + search, method: 'POST', headers, body, signal } as const;
      this.#agent.dispatch(options, handler);
      return handler.status;
    });
  }

  #headersOf({ id, secrets }: WebhookMessage, body: Buffer): Record<string, string> {
    const timestamp = String(Math.floor(this.#options.clock.now() / 1_000));
    const signatures = secrets.map((secret) => {
      const hmac = createHmac('sha256', this.#keys.memo(secret)).update(`${id}.${timestamp}.`).update(body);
      return `v1,${hmac.digest('base64')}`;
    });
    return {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
  }

  #errorOf(error: unknown, url: string): DeliveryError {
    const failure = requestFailure(error);
    if (failure instanceof AttemptFailure) return failure.word;
    // The rest of a URL may hold secrets of the receiver, and the error all of its answer.
    const { origin } = new URL(url);
    const { name, message } = failure instanceof Error ? failure : new Error('no error');
    this.#options.logger.warn(
      { origin, code: codeOf(failure), error: `${name}: ${message}`.slice(0, LOGGED_CHARACTERS) },
      'webhook delivery failed with an unknown error',
    );
    return 'protocol';
  }
}

function timeoutError(): AttemptFailure {
  return new AttemptFailure('timeout');
}

/** Checks a registered URL again: the rules may be stricter than when it was registered. */
function refuseTarget(url: string, isPublic: IsPublicAddress | null): void {
  const problem = webhookUrlProblem(url, isPublic);
  if (problem === null) return;
  if (problem === 'reserved_port') throw new AttemptFailure('refused');
  const isInternal = problem === 'not_public' || problem === 'internal_name';
  throw new AttemptFailure(isInternal ? 'not_public' : 'protocol');
}

function errorOfStatus(status: number): DeliveryError | null {
  if (status === OK) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.replace('whsec_', ''), 'base64'));
}

/** Gives the status with the head and drops the body: a third less processor time than `request`. */
class StatusHandler implements Dispatcher.DispatchHandler {
  readonly status: Promise<number>;
  readonly #bodyMs: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (status: number) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #bodyTimer: NodeJS.Timeout | undefined;

  /** An abort before the head closes the connection. */
  constructor(bodyMs: number, signal: AbortSignal) {
    this.#bodyMs = bodyMs;
    this.#signal = signal;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.status = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    this.#controller?.abort(this.#signal.reason);
    this.#reject(this.#signal.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(this.#signal.reason);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#resolve(status);
    this.#bodyTimer = setTimeout(() => controller.abort(new Error('slow body')), this.#bodyMs);
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    clearTimeout(this.#bodyTimer);
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
