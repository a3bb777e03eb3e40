import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import { withTimeout } from '../../core/base/async/with-timeout.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { SECOND_MS } from '../../core/base/time/duration.ts';
import {
  type AttemptResult,
  type DeliveryError,
  RETRY_AFTER_MAX_SECONDS,
} from '../../core/delivery/webhooks/delivery.ts';
import type { WebhookMessage, WebhookSender } from '../../core/delivery/webhooks/webhook.ts';
import { type IsPublicAddress, webhookUrlProblem } from '../../core/delivery/webhooks/webhook-url.ts';
import { type Connect, createAgent } from './agent.ts';
import { AnswerHandler, type Head } from './answer-handler.ts';
import { retryAfterMs } from './answer-text.ts';
import { AttemptFailure, codeOf, requestFailure } from './attempt-failure.ts';
import {
  createGuardedConnect,
  createPublicResolver,
  type ResolveHost,
  resolveAnyHost,
} from './guarded-connect.ts';
import { USER_AGENT } from './user-agent.ts';

export interface WebhookSenderOptions {
  /** Null lets requests go to any address, for development. */
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
const MAX_KEYS = 1_000;
const LOGGED_CHARACTERS = 200;

/**
 * An idle connection is kept for a second; where the receiver states its own time, for 2 s less than that (undici's margin), at most 3.
 */
const REUSE = { keepAliveTimeout: 1_000, keepAliveMaxTimeout: 3_000 };
/** Each request has a connection of its own (undici's meaning of 0). */
const NO_REUSE = { pipelining: 0 };
const LIMITS = {
  /** Per origin. */
  connections: 16,
  maxHeaderSize: 16_384,
  /** What is read of an answer's body before its connection is closed. */
  maxResponseSize: 1_024,
};

/**
 * Signs messages and sends them to addresses that users gave, over TLS (`webhookUrlProblem` has the exception) and HTTP/1.1. Follows no
 * redirects and uses no proxy.
 *
 * A request that meets the moment in which the receiver closes an idle connection is lost there. One that was sent on a used connection
 * is therefore sent once more, on a new one, if that connection ends before any byte of an answer: a receiver of JSON can tell a
 * repetition by its `webhook-id`. In a chat the message would stand twice, so that of another format is sent once, on a connection of
 * its own.
 */
export class HttpWebhookSender implements WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #reusing: Agent;
  readonly #single: Agent;
  /** Signals of attempts for which a connection was opened. */
  readonly #connected = new WeakSet<AbortSignal>();
  /** HMAC with a `KeyObject` is several times faster than with the bytes of the key. */
  readonly #keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS, memoMethod: keyOf });

  constructor(options: WebhookSenderOptions) {
    const { isPublic, resolve } = options;
    this.#options = options;
    const connect = createGuardedConnect({
      resolve: resolve ?? (isPublic === null ? resolveAnyHost : createPublicResolver()),
      isPublic,
    });
    const connectFor: Connect = (target, signal) => {
      if (signal !== undefined) this.#connected.add(signal);
      return connect(target, signal);
    };
    this.#reusing = createAgent({ ...LIMITS, ...REUSE, connect: connectFor });
    this.#single = createAgent({ ...LIMITS, ...NO_REUSE, connect });
  }

  async send(message: WebhookMessage): Promise<AttemptResult> {
    const { isPublic, clock, timeoutMs = TIMEOUT_MS } = this.#options;
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      refuseTarget(message.url, isPublic);
      const post = (signal: AbortSignal) => this.#post(message, signal);
      const { status, headers } = await withTimeout({ clock, timeoutMs, timeoutError }, post);
      const error = errorOfStatus(status, message.format);
      const retryAfterSeconds = error === null ? null : this.#secondsIn(headers['retry-after']);
      return { status, error, durationMs: durationMs(), retryAfterSeconds };
    } catch (failure) {
      const error = this.#errorOf(failure, message.url);
      return { status: null, error, durationMs: durationMs(), retryAfterSeconds: null };
    }
  }

  async close(): Promise<void> {
    await this.#reusing.close();
    await this.#single.close();
  }

  async #post(message: WebhookMessage, signal: AbortSignal): Promise<Head> {
    const { origin, pathname, search } = new URL(message.url);
    const body = Buffer.from(message.body);
    const headers = this.#headersOf(message, body);
    const request = { origin, path: pathname + search, method: 'POST', headers, body, signal } as const;
    const dispatch = (agent: Agent) => {
      const handler = new AnswerHandler(signal);
      agent.dispatch(request, handler);
      return handler;
    };
    if (message.format !== 'json') return dispatch(this.#single).head;
    const first = dispatch(this.#reusing);
    return first.head.catch((error: unknown) => {
      if (this.#connected.has(signal) || first.isAnswered || signal.aborted) throw error;
      return dispatch(this.#single).head;
    });
  }

  #secondsIn(retryAfter: string | string[] | undefined): number | null {
    const ms = retryAfterMs(retryAfter, this.#options.clock.now(), RETRY_AFTER_MAX_SECONDS * SECOND_MS);
    return ms === null ? null : Math.ceil(ms / SECOND_MS);
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

function errorOfStatus(status: number, format: WebhookMessage['format']): DeliveryError | null {
  if (status === OK || (format !== 'json' && status > OK && status < 300)) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.replace('whsec_', ''), 'base64'));
}
