import { withTimeout } from '../../../core/async/with-timeout.ts';
import { parseJson } from '../../sources/row-schema.ts';
import { createUpstreamSocket } from '../streams/upstream-socket.ts';
import { CALL_MS, type ChainNode, type ChainNodeDeps } from './chain-node.ts';
import { RpcFault, resultOf } from './rpc-fault.ts';

/** Keeps the connection alive through proxies. */
const PING_MS = 20_000;
/** A head comes every 2 s. Public nodes were seen to close sockets without notice, and to accept and never send. */
const SILENCE_MS = 15_000;
/** A hundred blocks have about 5 MB of logs. */
const MAX_PAYLOAD = 64 * 1_048_576;
const SUBSCRIPTION_ID = 0;

/** A node over a WebSocket, which shows heads by itself. */
export function createSocketNode({ url, clock, random, logger, metrics, onHead }: ChainNodeDeps): ChainNode {
  const pending = new Map<number, (answer: unknown) => void>();
  let calls = SUBSCRIPTION_ID;

  function onFrame(text: string): boolean {
    const frame = parseJson(text) as Frame | null;
    if (typeof frame !== 'object' || frame === null) return false;
    if (frame.method === 'eth_subscription') {
      onHead(frame.params?.result);
      return true;
    }
    if (frame.id === SUBSCRIPTION_ID) resultOf(frame, url);
    pending.get(frame.id as number)?.(frame);
    return false;
  }

  const socket = createUpstreamSocket(
    {
      name: 'node',
      url,
      maxPayload: MAX_PAYLOAD,
      pingMs: PING_MS,
      pingText: null,
      silenceMs: SILENCE_MS,
      subscription: () => request(SUBSCRIPTION_ID, 'eth_subscribe', ['newHeads']),
      onFrame,
      onState: (isOpen) => metrics.upstreamStream('node', isOpen),
    },
    { clock, random, logger },
  );

  return {
    run: socket.run,
    async call(method, params, signal) {
      signal.throwIfAborted();
      calls += 1;
      const id = calls;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const end = () => reject(signal.aborted ? signal.reason : new RpcFault('connection lost'));
      const ended = socket.send(request(id, method, params));
      if (ended === null) throw new RpcFault('no connection');
      const signals = [ended, signal];
      for (const one of signals) one.addEventListener('abort', end);
      pending.set(id, resolve);
      try {
        const timeoutError = () => new RpcFault(`no answer within ${CALL_MS} ms`);
        return resultOf(await withTimeout({ clock, timeoutMs: CALL_MS, timeoutError }, promise), url);
      } finally {
        pending.delete(id);
        for (const one of signals) one.removeEventListener('abort', end);
      }
    },
  };
}

interface Frame {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly result?: unknown } | null;
}

function request(id: number, method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
