import type { Agent, Dispatcher } from 'undici';
import { withTimeout } from '../../core/base/async/with-timeout.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { DeliveryError } from '../../core/delivery/webhooks/delivery.ts';
import { type IsPublicAddress, webhookUrlProblem } from '../../core/delivery/webhooks/webhook-url.ts';
import { type Connect, createAgent } from './agent.ts';
import { AttemptFailure, codeOf, requestFailure } from './attempt-failure.ts';
import {
  createGuardedConnect,
  createPublicResolver,
  type ResolveHost,
  resolveAnyHost,
} from './guarded-connect.ts';

export interface GuardedClientOptions {
  /** Null lets requests go to any address, for development. */
  readonly isPublic: IsPublicAddress | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly resolve?: ResolveHost;
  /** For one attempt; default: the contract's 5 seconds. */
  readonly timeoutMs?: number;
}

export interface GuardedRequest {
  /** https; in development also http to 127.0.0.1. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the receiver can tell that a request came twice. */
  readonly isRepeatable: boolean;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export type GuardedOutcome = Head | { readonly error: DeliveryError };

/** Contract, Webhook acknowledgement: "200 status within 5 seconds, no retry". */
const TIMEOUT_MS = 5_000;
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
/** For the body of an answer: other requests wait for the connection. */
const BODY_MS = 500;

/**
 * Sends to addresses that users gave, over TLS (`webhookUrlProblem` has the exception) and HTTP/1.1. Follows no redirects and uses no proxy.
 * A request that meets the moment in which the receiver closes an idle connection is lost there. A repeatable one that was sent on a
 * used connection is therefore sent once more, on a new one, if that connection ends before any byte of an answer. Every other request
 * is sent once, on a connection of its own.
 */
export class GuardedClient {
  readonly #options: GuardedClientOptions;
  readonly #reusing: Agent;
  readonly #single: Agent;
  /** Signals of requests for which a connection was opened. */
  readonly #connected = new WeakSet<AbortSignal>();

  constructor(options: GuardedClientOptions) {
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

  /** Faults of the receiver are outcomes, never exceptions. */
  async send(request: GuardedRequest): Promise<GuardedOutcome> {
    const { isPublic, clock, timeoutMs = TIMEOUT_MS } = this.#options;
    try {
      refuseTarget(request.url, isPublic);
      return await withTimeout({ clock, timeoutMs, timeoutError }, (signal) => this.#post(request, signal));
    } catch (error) {
      return { error: this.#errorOf(error, request.url) };
    }
  }

  /** Waits for attempts in flight, then closes every connection. */
  async close(): Promise<void> {
    await this.#reusing.close();
    await this.#single.close();
  }

  async #post(request: GuardedRequest, signal: AbortSignal): Promise<Head> {
    if (!request.isRepeatable) return post(this.#single, request, signal).head;
    const first = post(this.#reusing, request, signal);
    return first.head.catch((error: unknown) => {
      if (this.#connected.has(signal) || first.isAnswered || signal.aborted) throw error;
      return post(this.#single, request, signal).head;
    });
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

function post(agent: Agent, { url, headers, body }: GuardedRequest, signal: AbortSignal): AnswerHandler {
  const handler = new AnswerHandler(signal);
  const { origin, pathname, search } = new URL(url);
  const options = { origin, path: pathname + search, method: 'POST', headers, body, signal } as const;
  agent.dispatch(options, handler);
  return handler;
}

interface Head {
  readonly status: number;
  readonly headers: Headers;
}

/** Gives the head as soon as it is there: a third less processor time than `request`. An abort before it closes the connection. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  /** Whether a byte of an answer came. */
  isAnswered = false;
  readonly #head = Promise.withResolvers<Head>();
  readonly #signal: AbortSignal;
  #controller: Dispatcher.DispatchController | null = null;
  #bodyTimer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** Rejects when none came. */
  get head(): Promise<Head> {
    return this.#head.promise;
  }

  readonly #abort = (): void => {
    this.#controller?.abort(this.#signal.reason);
    this.#head.reject(this.#signal.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(this.#signal.reason);
  }

  onResponseStarted(): void {
    this.isAnswered = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#head.resolve({ status, headers });
    this.#bodyTimer = setTimeout(() => controller.abort(new Error('slow body')), BODY_MS);
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#head.reject(error);
  }

  #end(): void {
    clearTimeout(this.#bodyTimer);
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
