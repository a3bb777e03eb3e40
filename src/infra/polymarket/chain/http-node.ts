import { type Agent, request } from 'undici';
import { FailureLog } from '../../../core/async/failure-log.ts';
import { repeat } from '../../../core/async/repeat.ts';
import { withTimeout } from '../../../core/async/with-timeout.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import { createAgent } from '../../outgoing/agent.ts';
import { GarbledAnswer, textOf } from '../../outgoing/answer-text.ts';
import { parseJson } from '../../sources/row-schema.ts';
import { PRODUCT } from '../../webhooks/user-agent.ts';
import { CALL_MS, type ChainNode, type ChainNodeDeps } from './chain-node.ts';
import { RpcFault, resultOf } from './rpc-fault.ts';

const HEAD_EVERY_MS = SECOND_MS;
const MAX_BYTES = 64 * 1_048_576;
const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'content-type': 'application/json',
  'user-agent': PRODUCT,
};

/** A node over HTTP. Its head is polled every second. */
export function createHttpNode({ url, clock, logger, metrics, onHead }: ChainNodeDeps): ChainNode {
  const agent = createAgent();
  const limit = {
    clock,
    timeoutMs: CALL_MS,
    timeoutError: () => new RpcFault(`no answer within ${CALL_MS} ms`),
  };
  let calls = 0;

  async function call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    calls += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: calls, method, params });
    try {
      return await withTimeout({ ...limit, signal }, (within) => post(agent, url, body, within));
    } catch (error) {
      signal.throwIfAborted();
      throw rpcFaultOf(error);
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const failures = new FailureLog(logger, 'the node is unavailable; retrying every second');
    let isOpen: boolean | null = null;
    async function pollHead(): Promise<void> {
      const head = await call('eth_getBlockByNumber', ['latest', false], signal).catch((error: unknown) => {
        if (!signal.aborted) failures.failed(error);
        return null;
      });
      if (isOpen !== (head !== null)) metrics.upstreamStream('node', head !== null);
      isOpen = head !== null;
      if (head === null) return;
      failures.succeeded();
      onHead(head);
    }
    await repeat(pollHead, { clock, signal, intervalMs: HEAD_EVERY_MS });
    if (isOpen === true) metrics.upstreamStream('node', false);
    await agent.destroy();
  }

  return { run, call };
}

async function post(dispatcher: Agent, url: string, body: string, signal: AbortSignal): Promise<unknown> {
  const answer = await request(url, { method: 'POST', dispatcher, headers: HEADERS, body, signal });
  const json = parseJson(await textOf(answer, MAX_BYTES));
  // Some gateways put the error of JSON-RPC into an answer of status 400.
  if (answer.statusCode >= 300 && (typeof json !== 'object' || json === null || !('error' in json)))
    throw new RpcFault(`answered ${answer.statusCode}`);
  return resultOf(json, url);
}

/** Without the URL, which errors of undici do not name. */
function rpcFaultOf(error: unknown): RpcFault {
  if (error instanceof RpcFault) return error;
  if (error instanceof GarbledAnswer && error.isTooLong)
    return new RpcFault('response size exceeded', 'too_wide');
  const { message = '', code = '' } = error as NodeJS.ErrnoException;
  return new RpcFault(`unreachable: ${message || code}`);
}
