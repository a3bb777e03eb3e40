import { withTimeout } from '../../../core/async/with-timeout.ts';
import type { Clock } from '../../../core/clock.ts';
import { parseJson } from '../../sources/row-schema.ts';
import { UpstreamSocket } from '../streams/upstream-socket.ts';
import { CALL_MS, type ChainNode, type ChainNodeDeps } from './chain-node.ts';
import { RpcFault, resultOf } from './rpc-fault.ts';

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

/** A node over a WebSocket, which pushes heads. */
export class SocketNode implements ChainNode {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #onHead: (head: unknown) => void;
  readonly #socket: UpstreamSocket;
  /** Calls in flight, by id. */
  readonly #pending = new Map<unknown, (answer: unknown) => void>();
  #calls = SUBSCRIPTION_ID;

  constructor({ url, clock, random, logger, metrics, onHead }: ChainNodeDeps) {
    this.#url = url;
    this.#clock = clock;
    this.#onHead = onHead;
    this.#socket = new UpstreamSocket({
      name: 'node',
      ...{ url, clock, random, logger },
      maxPayload: MAX_PAYLOAD,
      pingMs: PING_MS,
      pingText: null,
      silenceMs: SILENCE_MS,
      subscription: () => request(SUBSCRIPTION_ID, 'eth_subscribe', ['newHeads']),
      onFrame: (text) => this.#takeFrame(text),
      onState: (isOpen) => metrics.upstreamStream('node', isOpen),
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#socket.run(signal);
  }

  async call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const end = () => reject(signal.aborted ? signal.reason : new RpcFault('connection lost'));
    const ended = this.#socket.send(request(id, method, params));
    if (ended === null) throw new RpcFault('no connection');
    const signals = [ended, signal];
    for (const one of signals) one.addEventListener('abort', end);
    this.#pending.set(id, resolve);
    try {
      const timeoutError = () => new RpcFault(`no answer within ${CALL_MS} ms`);
      const limit = { clock: this.#clock, timeoutMs: CALL_MS, timeoutError };
      return resultOf(await withTimeout(limit, promise), this.#url);
    } finally {
      this.#pending.delete(id);
      for (const one of signals) one.removeEventListener('abort', end);
    }
  }

  /** Only heads count as a sign of life. Throws when the node refuses the subscription. */
  #takeFrame(text: string): boolean {
    const frame = parseJson(text) as Frame | null;
    if (typeof frame !== 'object' || frame === null) return false;
    if (frame.method === 'eth_subscription') {
      this.#onHead(frame.params?.result);
      return true;
    }
    if (frame.id === SUBSCRIPTION_ID) resultOf(frame, this.#url);
    this.#pending.get(frame.id)?.(frame);
    return false;
  }
}

function request(id: number, method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
