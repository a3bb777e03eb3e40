import { backoffMs } from '../../../core/async/backoff.ts';
import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { TimeRange } from '../../../core/feed-health/time-range.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { TokenCatalogue } from '../markets/token-catalogue.ts';
import { throttleLog } from '../trades/throttle-log.ts';
import { removedRow } from '../trades/trade-line.ts';
import { BlockReader } from './block-reader.ts';
import type { BlockFill } from './chain-block.ts';
import { ChainFollower, type FollowedChain } from './chain-follower.ts';
import type { ChainNode } from './chain-node.ts';
import { DescribedFills } from './described-fills.ts';
import { createHttpNode } from './http-node.ts';
import { LatestHead } from './latest-head.ts';
import { RpcFault } from './rpc-fault.ts';
import { createSocketNode } from './socket-node.ts';

const RETRY = { firstMs: 200, mostMs: 10 * SECOND_MS };
/** A block comes each 2 s and is read within one; with more than this the other sources are as fast. */
const AT_HEAD_MS = 8 * SECOND_MS;
const LOG_EVERY_MS = MINUTE_MS;

export interface ChainFeedDeps {
  /** http, https, ws or wss. A secret: only its host is logged. */
  readonly url: string;
  /** The market's time. */
  readonly clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'upstreamStream' | 'rowDropped'>;
  readonly tokens: Pick<TokenCatalogue, 'get' | 'lookUp'>;
  /** From when on every trade is wanted; null: from now on. */
  readonly wantedFrom: EpochMs | null;
  /**
   * Fills of one block, in the order of the chain, each fill once. Blocks come in order, and one without fills may be left
   * out. Fills whose token became known later come in a further call, with the time of their block.
   */
  onBlock(block: { readonly at: EpochMs; readonly rows: readonly LiveRow[] }): Promise<void>;
  /** Rows of kind `removed` for fills that a reorganisation took back for good. */
  onRemoved(rows: readonly LiveRow[]): Promise<void>;
  /** Every trade of the span was handed on, but for those whose token is unknown. */
  onComplete(span: TimeRange): void;
}

export interface ChainStatus {
  /** The last block is at most 8 s old, and nothing before it is missing. */
  readonly isAtHead: boolean;
  /** The time of the newest block the node showed. */
  readonly headAt: EpochMs | null;
  readonly completeUntil: EpochMs | null;
  /** Fills whose token no market is known for. */
  readonly waitingForToken: number;
  /** The token whose fill has waited longest, and when that fill was made. */
  readonly oldestUnknownToken: { readonly tokenId: string; readonly since: EpochMs } | null;
  /** Fills that were taken back. */
  readonly removed: number;
}

export interface ChainFeed {
  /** Until the signal aborts; rejects when what it hands on is not taken. */
  run(signal: AbortSignal): Promise<void>;
  status(): ChainStatus;
}

/** Trades as the exchanges' logs on Polygon show them: all of them, about two seconds after they were made. */
export function createChainFeed(deps: ChainFeedDeps): ChainFeed {
  return new NodeChainFeed(deps);
}

class NodeChainFeed implements ChainFeed {
  readonly #deps: ChainFeedDeps;
  readonly #heads = new LatestHead();
  readonly #fills: DescribedFills;
  readonly #node: ChainNode;
  readonly #follower: ChainFollower;
  readonly #reportFault: () => void;
  #fault: unknown = null;
  #headAt: EpochMs | null = null;
  #removed = 0;

  constructor(deps: ChainFeedDeps) {
    this.#deps = deps;
    const { clock, logger, metrics, wantedFrom } = deps;
    this.#fills = new DescribedFills(deps);
    const createNode = /^ws/.test(deps.url) ? createSocketNode : createHttpNode;
    this.#node = createNode({ ...deps, onHead: (value) => this.#heads.show(value) });
    const reader = new BlockReader(this.#node, clock, metrics.rowDropped);
    const chain: FollowedChain = {
      onBlock: (at, fills) => this.#fills.handOn(at, fills),
      onReorged: (fills) => this.#remove(fills),
      onDropped: (fill) => this.#fills.drop(fill),
      onComplete: deps.onComplete,
    };
    this.#follower = new ChainFollower(reader, chain, { wantedFrom, logger });
    this.#reportFault = throttleLog(clock, LOG_EVERY_MS, (attempts) =>
      logger.warn({ err: this.#fault, attempts }, 'the chain cannot be read; retrying'),
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#deps.logger.info({ host: new URL(this.#deps.url).host }, 'following the chain');
    const over = new AbortController();
    const life = AbortSignal.any([signal, over.signal]);
    const parts = [this.#node.run(life), this.#follow(life), this.#fills.run(life)];
    const ended = parts.map((part) => part.catch((error: unknown) => over.abort(error)));
    await Promise.all(ended);
    if (over.signal.aborted && !signal.aborted) throw over.signal.reason;
  }

  status(): ChainStatus {
    const { tipAt, completeUntil } = this.#follower;
    return {
      isAtHead: tipAt !== null && this.#deps.clock.now() - tipAt <= AT_HEAD_MS,
      headAt: this.#headAt,
      completeUntil,
      waitingForToken: this.#fills.waiting.size,
      oldestUnknownToken: this.#fills.waiting.oldest,
      removed: this.#removed,
    };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const head = await this.#heads.take(signal);
      if (head === null) return;
      this.#headAt = Math.max(head.at, this.#headAt ?? head.at);
      try {
        await this.#follower.follow(head, signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof RpcFault)) throw error;
        failures += 1;
        this.#fault = error;
        this.#reportFault();
        this.#heads.putBack(head);
        await this.#deps.clock.sleep(backoffMs(RETRY, failures, this.#deps.random), signal);
      }
    }
  }

  async #remove(fills: readonly BlockFill[]): Promise<void> {
    const rows = fills.flatMap(({ row }) => (row === null ? [] : [removedRow(row)]));
    this.#removed += rows.length;
    for (const { fill } of fills) {
      const { transaction, wallet } = fill;
      this.#deps.logger.warn({ transaction, wallet }, 'a reorganisation of the chain took back a trade');
    }
    await this.#deps.onRemoved(rows);
  }
}
