import { type Agent, request } from 'undici';
import { z } from 'zod';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { withTimeout } from '../../../../core/base/async/with-timeout.ts';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { createAgent } from '../../../outgoing/agent.ts';
import { answerText } from '../../../outgoing/answer-text.ts';
import { proxiedConnect } from '../../../outgoing/proxy.ts';
import { PRODUCT } from '../../../outgoing/user-agent.ts';
import { parseJson } from '../../tapes/text-fields.ts';
import { type StreamOptions, UpstreamSocket } from '../streams/upstream-socket.ts';
import { type ChainHeader, headerSchema } from './chain-block.ts';
import { isRefusingError, isRefusingStatus, NodePause } from './node-pause.ts';

export interface ChainNode {
  /** Keeps the connection and passes heads to `onHead` until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Until when the node asked to wait, or is left alone because it refuses requests; null: it is not. */
  readonly pausedUntil: EpochMs | null;
  /** One attempt, 10 s at most; none during a pause. Rejects with an `RpcFault` or the signal's reason. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

interface NodeOptions extends StreamOptions {
  /** A head may come more than once, and heads may be left out. */
  onHead(header: ChainHeader): void;
}

const CALL_MS = 10_000;
const CALL_LIMIT = {
  timeoutMs: CALL_MS,
  timeoutError: () => new RpcFault(`no answer within ${CALL_MS} ms`),
};

export function openNode(options: NodeOptions): ChainNode {
  return /^ws/.test(options.url) ? new SocketNode(options) : new HttpNode(options);
}

const HEAD_EVERY_MS = SECOND_MS;
const MAX_BYTES = 64 * 1_048_576;
const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'content-type': 'application/json',
  'user-agent': PRODUCT,
};

export class HttpNode implements ChainNode {
  readonly #options: NodeOptions;
  readonly #agent: Agent;
  readonly #pause: NodePause;
  #calls = 0;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#agent = createAgent({ connect: proxiedConnect(options.proxies) });
    this.#pause = new NodePause(options.clock, options.logger);
  }

  get pausedUntil(): EpochMs | null {
    return this.#pause.until;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger, metrics, onHead } = this.#options;
    const failures = new FailureLog(logger, 'the node is unavailable; retrying every second');
    let isOpen: boolean | null = null;
    const pollHead = async () => {
      const head = await this.call('eth_getBlockByNumber', ['latest', false], signal).catch(
        (error: unknown) => {
          if (!signal.aborted && this.#pause.leftMs === 0) failures.failed(error);
          return null;
        },
      );
      if (isOpen !== (head !== null)) metrics.upstreamStream('node', head !== null);
      isOpen = head !== null;
      if (head === null) return;
      failures.succeeded();
      showHead(head, onHead);
    };
    await repeat(pollHead, { clock, signal, intervalMs: () => Math.max(HEAD_EVERY_MS, this.#pause.leftMs) });
    if (isOpen === true) metrics.upstreamStream('node', false);
    await this.#agent.destroy();
  }

  async call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const { clock } = this.#options;
    this.#calls += 1;
    const body = rpcText(this.#calls, method, params);
    const limit = { ...CALL_LIMIT, clock, signal };
    try {
      return await watchedCall(this.#pause, () => withTimeout(limit, (within) => this.#post(body, within)));
    } catch (error) {
      signal.throwIfAborted();
      throw rpcFaultOf(error);
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<unknown> {
    const { url } = this.#options;
    const asked = { method: 'POST', dispatcher: this.#agent, headers: HEADERS, body, signal } as const;
    const answer = await request(url, asked);
    const { statusCode: status, headers } = answer;
    const json = parseJson(await answerText(answer, MAX_BYTES));
    // Public nodes answer 403 for blocks that they no longer have, too.
    if (isRefusingStatus(status) && !PRUNED.test(JSON.stringify(json ?? null))) {
      this.#pause.refused(`answered ${status}`, headers['retry-after']);
      throw new RpcFault(`answered ${status}`, 'refused');
    }
    // Some gateways put the error of JSON-RPC into an answer of status 400.
    if (status >= 300 && (typeof json !== 'object' || json === null || !('error' in json)))
      throw new RpcFault(`answered ${status}`);
    return resultOf(json, url);
  }
}

/** Sends nothing during a pause, and begins one when the node refuses. */
async function watchedCall(pause: NodePause, send: () => Promise<unknown>): Promise<unknown> {
  if (pause.leftMs > 0) throw new RpcFault('paused: the node refuses requests', 'refused');
  try {
    const result = await send();
    pause.succeeded();
    return result;
  } catch (error) {
    if (error instanceof RpcFault && error.kind === 'refused') pause.refused(error.message);
    throw error;
  }
}

/** Without the URL, which errors of undici do not name. */
function rpcFaultOf(error: unknown): RpcFault {
  if (error instanceof RpcFault) return error;
  const { message = '', code = '' } = error as NodeJS.ErrnoException;
  return new RpcFault(`unreachable: ${message || code}`);
}

/** Keeps the connection alive through proxies. */
const PING_MS = 20_000;
/** A head comes every 2 s. Public nodes were seen to close sockets without notice, and to accept and never send. */
const SILENCE_MS = 15_000;
/** A hundred blocks have about 5 MB of logs. */
const MAX_PAYLOAD = 64 * 1_048_576;
const SUBSCRIPTION_ID = 0;

interface Frame {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly result?: unknown } | null;
}

export class SocketNode implements ChainNode {
  readonly #options: NodeOptions;
  readonly #socket: UpstreamSocket;
  readonly #pause: NodePause;
  readonly #pending = new Map<unknown, (answer: unknown) => void>();
  #calls = SUBSCRIPTION_ID;

  constructor(options: NodeOptions) {
    const { url, proxies, clock, random, logger, metrics } = options;
    this.#options = options;
    this.#pause = new NodePause(clock, logger);
    this.#socket = new UpstreamSocket({
      name: 'node',
      url,
      proxies,
      clock,
      random,
      logger,
      metrics,
      maxPayload: MAX_PAYLOAD,
      pingMs: PING_MS,
      pingText: null,
      silenceMs: SILENCE_MS,
      subscriptions: () => [rpcText(SUBSCRIPTION_ID, 'eth_subscribe', ['newHeads'])],
      onFrame: (text) => this.#takeFrame(text),
      onRefused: (status, retryAfter) => {
        if (isRefusingStatus(status)) this.#pause.refused(`answered ${status}`, retryAfter);
      },
      pauseMs: () => this.#pause.leftMs,
    });
  }

  get pausedUntil(): EpochMs | null {
    return this.#pause.until;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#socket.run(signal);
  }

  async call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    return watchedCall(this.#pause, () => this.#ask(method, params, signal));
  }

  async #ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const { url, clock } = this.#options;
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const end = () => reject(signal.aborted ? signal.reason : new RpcFault('connection lost'));
    const ended = this.#socket.send(rpcText(id, method, params));
    if (ended === null) throw new RpcFault('no connection');
    const signals = [ended, signal];
    for (const one of signals) one.addEventListener('abort', end);
    this.#pending.set(id, resolve);
    try {
      return resultOf(await withTimeout({ ...CALL_LIMIT, clock }, promise), url);
    } finally {
      this.#pending.delete(id);
      for (const one of signals) one.removeEventListener('abort', end);
    }
  }

  /** Only heads count as a sign of life. Throws when the node refuses the subscription. */
  #takeFrame(text: string): boolean {
    const { onHead } = this.#options;
    const frame = parseJson(text) as Frame | null;
    if (typeof frame !== 'object' || frame === null) return false;
    if (frame.method === 'eth_subscription') {
      showHead(frame.params?.result, onHead);
      return true;
    }
    if (frame.id === SUBSCRIPTION_ID) this.#subscribed(frame);
    this.#pending.get(frame.id)?.(frame);
    return false;
  }

  #subscribed(frame: Frame): void {
    try {
      resultOf(frame, this.#options.url);
    } catch (error) {
      if (error instanceof RpcFault && error.kind === 'refused') this.#pause.refused(error.message);
      throw error;
    }
  }
}

function rpcText(id: number, method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function showHead(value: unknown, onHead: NodeOptions['onHead']): void {
  const { success, data } = headerSchema.safeParse(value);
  if (success) onHead(data);
}

/**
 * Why a call of a node failed. `pruned`: the node no longer has blocks that old. `missing`: the node does not have the block,
 * because it is too old or the node lags. `refused`: the node refuses requests for a while. `unavailable`: all else.
 */
export type RpcFaultKind = 'pruned' | 'missing' | 'refused' | 'unavailable';

export class RpcFault extends Error {
  override readonly name = 'RpcFault';
  readonly kind: RpcFaultKind;

  constructor(message: string, kind: RpcFaultKind = 'unavailable') {
    super(message.slice(0, 200));
    this.kind = kind;
  }
}

/** Messages of geth, bor, erigon and the public gateways. Error codes differ between them and say nothing. */
const PRUNED = /pruned|archive|personal token|historical|missing trie node/i;

const SECRET_MIN = 6;

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.unknown().optional(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

/** The result of a JSON-RPC answer. Throws the error that it contains, with the secrets of the node's URL removed from its message. */
export function resultOf(answer: unknown, url: string): unknown {
  const { success, data } = answerSchema.safeParse(answer);
  if (!success) throw new RpcFault('not a JSON-RPC answer');
  if ('error' in data) {
    const { message } = data.error;
    throw new RpcFault(withoutSecrets(message, url), kindOf(data.error));
  }
  return data.result;
}

function kindOf(error: { readonly code?: unknown; readonly message: string }): RpcFaultKind {
  if (PRUNED.test(error.message)) return 'pruned';
  return isRefusingError(error) ? 'refused' : 'unavailable';
}

/** Keys are in the path, the query or the password. Short parts are version numbers and names. */
function withoutSecrets(message: string, url: string): string {
  const { pathname, searchParams, username, password } = new URL(url);
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password];
  return parts
    .filter((part) => part.length >= SECRET_MIN)
    .reduce((text, part) => text.replaceAll(part, '…'), message);
}
