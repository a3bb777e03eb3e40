import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { allOrNone, Notifier, repeat } from '../../../../core/base/async/repeat.ts';
import { retry } from '../../../../core/base/async/retry.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { LiveRow, TradeSourcesStatus } from '../../../../core/trades/source/source.ts';
import type { StreamOptions } from '../streams/upstream-socket.ts';
import { removedRow } from '../trades/trade-line.ts';
import { BlockReader } from './block-reader.ts';
import type { BlockFill, ChainHeader } from './chain-block.ts';
import { ChainFollower } from './chain-follower.ts';
import { type ChainNode, openNode, RpcFault } from './chain-node.ts';
import { DescribedFills, type DescribedFillsOptions } from './described-fills.ts';
import { VolumeSampler } from './volume-sampler.ts';

const BACKOFF = { firstMs: 200, mostMs: 10 * SECOND_MS };
/** A block comes each 2 s and is read within one. With more delay than this the list is as fast. */
const AT_HEAD_MS = 8 * SECOND_MS;

/** Constructor options of `ChainFeed`. `clock` shows the market's time; of the URL only the host is logged. */
interface ChainFeedOptions extends StreamOptions, DescribedFillsOptions {
  readonly exchanges: readonly string[];
  readonly metrics: Pick<Metrics, 'upstreamStream' | 'rowDropped'>;
  readonly wantedFrom: EpochMs | null;
  readonly onRemoved: (rows: readonly LiveRow[]) => Promise<void>;
}

/**
 * `isAtHead`: the last block is at most 8 s old, and no block before it is missing. `headAt`: time of the newest block that
 * the node showed. `waitingForToken`: number of fills whose token belongs to no known market; `oldestUnknownToken`: the token
 * whose fill has waited longest, and the time of that fill.
 */
type ChainStatus = NonNullable<TradeSourcesStatus['node']> & { readonly completeUntil: EpochMs | null };

/** Trades as the exchanges' logs on Polygon show them: all of them, about two seconds after the match. */
export class ChainFeed {
  readonly #options: ChainFeedOptions;
  #head: ChainHeader | null = null;
  readonly #headShown = new Notifier();
  readonly #fills: DescribedFills;
  readonly #node: ChainNode;
  readonly #follower: ChainFollower;
  readonly #sampler: VolumeSampler;
  #headAt: EpochMs | null = null;
  #removed = 0;

  constructor(options: ChainFeedOptions) {
    const { url, proxies, clock, random, logger, metrics, tokens, exchanges, wantedFrom } = options;
    this.#options = options;
    this.#fills = new DescribedFills({ clock, logger, metrics, tokens, onBlock: options.onBlock });
    const onHead = (head: ChainHeader) => {
      this.#head = head;
      this.#headAt = Math.max(head.at, this.#headAt ?? head.at);
      this.#headShown.notify();
    };
    this.#node = openNode({ url, proxies, clock, random, logger, metrics, onHead });
    const reader = new BlockReader({ node: this.#node, clock, exchanges, onDrop: metrics.rowDropped });
    this.#follower = new ChainFollower({
      reader,
      wantedFrom,
      logger,
      onBlock: (at, fills) => this.#fills.passOn(at, fills),
      onReorged: (fills) => this.#remove(fills),
      onDropped: (fill) => this.#fills.remove(fill),
    });
    this.#sampler = new VolumeSampler({ reader, clock, head: () => (this.#isAtHead ? this.#head : null) });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { url, logger } = this.#options;
    logger.info({ host: new URL(url).host }, 'following the chain');
    try {
      await allOrNone(signal, [
        (life) => this.#node.run(life),
        (life) => this.#follow(life),
        (life) => this.#fills.run(life),
        (life) => this.#sampler.run(life),
      ]);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  status(): ChainStatus {
    return {
      isAtHead: this.#isAtHead,
      headAt: this.#headAt,
      completeUntil: this.#follower.completeUntil,
      unwatched: this.#sampler.volume(),
      waitingForToken: this.#fills.waiting.size,
      oldestUnknownToken: this.#fills.waiting.oldest,
      removed: this.#removed,
      pausedUntil: this.#node.pausedUntil,
    };
  }

  get #isAtHead(): boolean {
    const { tipAt } = this.#follower;
    return tipAt !== null && this.#options.clock.now() - tipAt <= AT_HEAD_MS;
  }

  #follow(signal: AbortSignal): Promise<void> {
    const { clock, random, logger } = this.#options;
    const failures = new FailureLog(logger, 'chain read failed; retrying');
    const isFinal = (error: unknown) => !(error instanceof RpcFault);
    const follow = async () => {
      if (this.#head !== null) await this.#follower.follow(this.#head, signal);
    };
    const toHead = () => retry(follow, { clock, signal, backoff: BACKOFF, random, failures, isFinal });
    const wake = this.#headShown.nextNotification;
    return repeat(toHead, { clock, signal, intervalMs: MINUTE_MS, wake });
  }

  async #remove(fills: readonly BlockFill[]): Promise<void> {
    const { logger, onRemoved } = this.#options;
    const rows = fills.flatMap(({ row }) => (row === null ? [] : [removedRow(row)]));
    this.#removed += rows.length;
    for (const { fill } of fills) {
      const { transaction, wallet } = fill;
      logger.warn({ transaction, wallet }, 'chain reorganisation removed a trade');
    }
    await onRemoved(rows);
  }
}
