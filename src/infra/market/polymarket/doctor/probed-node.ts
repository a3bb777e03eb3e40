import { type RetryOptions, retry } from '../../../../core/base/async/retry.ts';
import { withTimeout } from '../../../../core/base/async/with-timeout.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { BlockReader } from '../chain/block-reader.ts';
import type { ChainHeader } from '../chain/chain-block.ts';
import { type ChainNode, openNode, RpcFault } from '../chain/chain-node.ts';
import { type MarketClient, UpstreamFault } from '../client/market-client.ts';

const LIMIT_MS = 10 * SECOND_MS;
const metrics = { upstreamStream() {} };

interface ProbedNodeOptions {
  readonly url: string;
  readonly exchanges: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
}

export class ProbedNode {
  readonly reader: BlockReader;
  readonly #node: ChainNode;
  readonly #clock: Clock;
  readonly #first = Promise.withResolvers<ChainHeader>();

  constructor({ url, exchanges, clock, random }: ProbedNodeOptions) {
    const onHead = this.#first.resolve;
    this.#node = openNode({ url, clock, random, logger: noLogger, metrics, onHead });
    this.reader = new BlockReader({ node: this.#node, clock, exchanges, onDrop() {} });
    this.#clock = clock;
  }

  run(signal: AbortSignal): Promise<void> {
    this.#first.promise.catch(() => {});
    signal.addEventListener('abort', () => this.#first.reject(signal.reason), { once: true });
    return this.#node.run(signal);
  }

  head(): Promise<ChainHeader> {
    const timeoutError = () => new RpcFault(`no block within ${LIMIT_MS / SECOND_MS} s`);
    return withTimeout({ clock: this.#clock, timeoutMs: LIMIT_MS, timeoutError }, this.#first.promise);
  }
}

/** The market's client for probes: uses the doctor's share of the budget, and retries once. */
export function probeClient(client: MarketClient, clock: Clock): MarketClient {
  const isFinal = (error: unknown) => !isTransient(error);
  return {
    get: (request, signal) =>
      retryOnce(() => client.get({ ...request, purpose: 'doctor' }, signal), { clock, signal, isFinal }),
  };
}

/** A rate limit, a timeout and a server error may pass; a refusal stays. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: SECOND_MS };

export function retryOnce<Answer>(
  ask: () => Promise<Answer>,
  options: Pick<RetryOptions, 'clock' | 'signal' | 'isFinal'>,
): Promise<Answer> {
  return retry(ask, { ...options, backoff: BACKOFF, attempts: 2 });
}
