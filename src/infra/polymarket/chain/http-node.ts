import { Agent, request } from 'undici';
import { withTimeout } from '../../../core/async/with-timeout.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import { parseJson } from '../../sources/row-schema.ts';
import { PRODUCT } from '../../webhooks/user-agent.ts';
import { bytesOf, textOf } from '../client/answer-body.ts';
import { CALL_MS, type ChainNode, type ChainNodeDeps } from './chain-node.ts';
import { RpcFault, resultOf } from './rpc-fault.ts';

const HEAD_EVERY_MS = SECOND_MS;
const MOST_BYTES = 64 * 1_048_576;
const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'content-type': 'application/json',
  'user-agent': PRODUCT,
};

/** A node over HTTP, asked for its head each second. */
export function createHttpNode({ url, clock, logger, metrics, onHead }: ChainNodeDeps): ChainNode {
  // Time limits are the clock's.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  let calls = 0;

  async function attempt(body: string, signal: AbortSignal): Promise<unknown> {
    const answer = await request(url, { method: 'POST', dispatcher: agent, headers: HEADERS, body, signal });
    const tooLong = () => new RpcFault('response size exceeded', 'too_wide');
    const bytes = await bytesOf(answer, MOST_BYTES, tooLong);
    const json = parseJson(await textOf(answer, bytes, MOST_BYTES));
    // Some gateways put the error of JSON-RPC into an answer of status 400.
    if (answer.statusCode >= 300 && (typeof json !== 'object' || json === null || !('error' in json)))
      throw new RpcFault(`answered ${answer.statusCode}`);
    return resultOf(json, url);
  }

  async function call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    calls += 1;
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const timeoutError = () => new RpcFault(`no answer within ${CALL_MS} ms`);
    const answer = attempt(JSON.stringify({ jsonrpc: '2.0', id: calls, method, params }), either);
    try {
      return await withTimeout({ clock, timeoutMs: CALL_MS, timeoutError }, answer);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof RpcFault ? error : new RpcFault(reasonOf(error));
    } finally {
      over.abort();
      answer.catch(() => {});
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    let isOpen: boolean | null = null;
    while (!signal.aborted) {
      const head = await call('eth_getBlockByNumber', ['latest', false], signal).catch((error: unknown) => {
        if (!signal.aborted && isOpen !== false) logger.warn({ err: error }, 'the node does not answer');
        return null;
      });
      if (isOpen !== (head !== null)) metrics.upstreamStream('node', head !== null);
      isOpen = head !== null;
      if (head !== null) onHead(head);
      await clock.sleep(HEAD_EVERY_MS, signal);
    }
    if (isOpen === true) metrics.upstreamStream('node', false);
    await agent.destroy();
  }

  return { run, call };
}

/** Without the address, which an error of undici does not name. */
function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as NodeJS.ErrnoException;
  return `unreachable: ${message || code}`;
}
