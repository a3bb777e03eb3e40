import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';

/** A node of the chain, over JSON-RPC. */
export interface ChainNode {
  /** Keeps the connection and passes heads to `onHead` until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** One attempt, 10 s at most. Rejects with an `RpcFault` or the signal's reason. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

export interface ChainNodeDeps {
  /** http, https, ws or wss. Never logged: its path may hold a key. */
  readonly url: string;
  readonly clock: Clock;
  random(): number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'upstreamStream'>;
  /** The head as the node sent it. A head may come more than once, and heads may be left out. */
  onHead(header: unknown): void;
}

/** Time limit of one call. */
export const CALL_MS = 10_000;
