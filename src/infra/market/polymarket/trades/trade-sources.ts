import { allOrNone, Notifier, repeat, repeatUntil } from '../../../../core/base/async/repeat.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { EnqueueOptions } from '../../../../core/ingest/intake.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { Coverage } from '../../../../core/trades/coverage/coverage.ts';
import type { LiveRow, SourceStatus } from '../../../../core/trades/source/source.ts';
import type { Trade, TradeSource } from '../../../../core/trades/trade.ts';
import { ChainFeed } from '../chain/chain-feed.ts';
import { exchangesOf } from '../chain/order-filled.ts';
import type { FeedTools, MarketUrls } from '../client/market-client.ts';
import type { TokenCatalogue } from '../markets/token-catalogue.ts';
import { LIST_LAG_MS } from './trade-pages.ts';
import { TradePoll } from './trade-poll.ts';
import { TradeStream } from './trade-stream.ts';

/** Polling answers while its last fresh page is younger. */
const POLLING_FRESH_MS = 15 * SECOND_MS;
/** Trades of 24 hours ago are no longer judged: nothing newer passes while polling has so far to read back. */
const BEHIND_MAX_MS = 12 * HOUR_MS;
const UPDATE_EVERY_MS = SECOND_MS / 2;
/** For so long after the stream showed a trade the list may still not have it. */
const UNLISTED_MS = LIST_LAG_MS + SECOND_MS;
/** A stream that has shown nothing for longer is not believed to have nothing to show. */
const BELIEVED_MS = MINUTE_MS;
/** A node or a stream that lacked a trade of the list may lack more for so long. */
const INCOMPLETE_MS = MINUTE_MS;
/** The list has every trade after 11 s (measured 2026-09); a node's that is older and not on it shows that the list is old. */
const MISSING_MS = 20 * SECOND_MS;
const BLOCKS_REMEMBERED = 60;

interface TradeSourcesOptions extends FeedTools {
  readonly market: Pick<MarketUrls, 'streamUrl' | 'rpcUrl' | 'extraExchanges' | 'proxies'>;
  readonly metrics: Metrics;
  readonly coverage: Pick<Coverage, 'fresh' | 'confirmed' | 'failed' | 'provisional'>;
  /** How far back the first walk must reach; null at the very first start. */
  readonly wantedFrom: EpochMs | null;
  readonly tokens: Pick<TokenCatalogue, 'get' | 'lookUp'>;
  readonly knows: (trade: Trade) => boolean;
  readonly enqueue: (rows: readonly LiveRow[], options?: EnqueueOptions) => Promise<void>;
  readonly onTrade: (trade: Trade) => void;
}

/**
 * The market's list of trades, which has all of them after 11 s and alone confirms them, and a node, which shows most after
 * 2 s. A trade passes from the one that shows it first, once. The stream passes none: it wakes the reading of the list.
 */
export class TradeSources {
  readonly #options: TradeSourcesOptions;
  readonly #poll: TradePoll;
  readonly #stream: TradeStream;
  readonly #wokenByStream = new Notifier();
  readonly #node: ChainFeed | null;
  /** The start counts: nothing may overtake the first walk, which may reach back for days. */
  #polledAsOf: EpochMs;
  #life = new AbortController().signal;
  #leader: TradeSource = 'polling';
  #streamedAt = Number.NEGATIVE_INFINITY;
  /** When the list last showed a trade that a stream without trades had not shown. */
  #unstreamedAt = Number.NEGATIVE_INFINITY;
  /** When the list last showed a trade that the node at the head had not shown. */
  #missedAt = Number.NEGATIVE_INFINITY;
  /** Times of the node's last blocks with trades. */
  #blocks: readonly EpochMs[] = [];

  constructor(options: TradeSourcesOptions) {
    const { clock, random, logger, metrics, market } = options;
    this.#options = options;
    this.#polledAsOf = clock.now();
    metrics.feedLeader(this.#leader);
    this.#poll = this.#openPoll();
    const onTrade = () => this.#streamed();
    const { streamUrl: url, proxies } = market;
    this.#stream = new TradeStream({ url, proxies, clock, random, logger, metrics, onTrade });
    this.#node = this.#openNode();
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const node = this.#node;
    return allOrNone(signal, [
      (life) => repeat(() => this.#update(), { clock, signal: life, intervalMs: UPDATE_EVERY_MS }),
      (life) => this.#poll.run(life),
      (life) => this.#stream.run(life),
      async (life) => {
        this.#life = life;
        await node?.run(life);
      },
    ]);
  }

  status(): SourceStatus {
    const { state, progress } = this.#poll.status();
    const leader = this.#leader;
    const position = state === 'live' || leader !== 'polling' ? 'playing' : state;
    const sources = {
      leader,
      stream: { isOpen: this.#stream.isOpen },
      node: this.#node?.status() ?? null,
    };
    return { state: position, progress, historyProgress: null, sources };
  }

  /** Time of the oldest trade that waits for its token and that polling has not listed; null when there is none. */
  oldestWaiting(): EpochMs | null {
    const unknown = this.#node?.status().oldestUnknownToken?.since ?? null;
    return unknown === null ? null : Math.max(unknown, this.#poll.status().confirmedUntil ?? unknown);
  }

  get listedUntil(): EpochMs | null {
    return this.#poll.status().newestTradeAt;
  }

  /** The source whose trades come first, and whether they may be more than the list confirms. */
  #update(): void {
    const { logger, metrics, coverage } = this.#options;
    const leader = this.#isNodeAtHead ? 'node' : 'polling';
    if (leader === this.#leader) return;
    logger.info({ leader, before: this.#leader }, 'leading source of trades changed');
    this.#leader = leader;
    metrics.feedLeader(leader);
    const shownUntil = leader === 'node' ? null : (this.#node?.status().completeUntil ?? null);
    coverage.provisional(leader === 'node', shownUntil ?? undefined);
  }

  get #isNodeAtHead(): boolean {
    return this.#node?.status().isAtHead ?? false;
  }

  /** It is at the head, and the list has shown nothing lately that it lacked. */
  get #isNodeComplete(): boolean {
    return this.#isNodeAtHead && Math.abs(this.#options.clock.now() - this.#missedAt) > INCOMPLETE_MS;
  }

  /** A node at the head has shown what polling may still have to read back. */
  get #isFarBehind(): boolean {
    const { clock, wantedFrom } = this.#options;
    const now = clock.now();
    const isPolling = Math.abs(now - this.#polledAsOf) <= POLLING_FRESH_MS;
    const unreadFrom = this.#poll.status().confirmedUntil ?? wantedFrom ?? now;
    return isPolling && !this.#isNodeAtHead && now - unreadFrom > BEHIND_MAX_MS;
  }

  #openPoll(): TradePoll {
    const { client, clock, random, logger, metrics, onDrop, onTrade, knows, coverage, wantedFrom } =
      this.#options;
    return new TradePoll({
      client,
      clock,
      random,
      logger,
      metrics,
      onDrop,
      wantedFrom,
      confirmed: (range) => coverage.confirmed(range),
      failed: (cause, completeUntil) => coverage.failed(cause, completeUntil),
      // A walk of many pages shows before its end that the list answers.
      onPage: (asOf) => this.#listAnswered(asOf),
      fresh: (asOf) => {
        this.#listAnswered(asOf);
        coverage.fresh(asOf);
      },
      onListed: onTrade,
      knows,
      enqueue: (rows) => this.#showPolled(rows),
      isNothingExpected: () => this.#isNothingExpected,
      wake: this.#wokenByStream.nextNotification,
      unlistedSince: (moment) => this.#unlistedSince(moment),
    });
  }

  #listAnswered(asOf: EpochMs): void {
    this.#polledAsOf = Math.max(this.#polledAsOf, asOf);
  }

  #openNode(): ChainFeed | null {
    const { market, clock, random, logger, metrics, tokens, wantedFrom, enqueue } = this.#options;
    const { rpcUrl: url, proxies } = market;
    if (url === null) return null;
    return new ChainFeed({
      url,
      proxies,
      clock,
      random,
      logger,
      metrics,
      tokens,
      exchanges: exchangesOf(market),
      wantedFrom,
      onBlock: (block) => this.#showBlock(block),
      onRemoved: (rows) => {
        metrics.feedTradesRemoved(rows.length);
        return enqueue(rows);
      },
    });
  }

  #showPolled(rows: readonly LiveRow[]): Promise<void> {
    const { clock, metrics, enqueue } = this.#options;
    if (this.#streamQuietMs > UNLISTED_MS) this.#unstreamedAt = clock.now();
    if (this.#isNodeAtHead) {
      this.#missedAt = clock.now();
      metrics.feedTradesLate(rows.length);
    }
    return enqueue(rows);
  }

  /** A block waits while polling reads back trades from before those that the node may still have. */
  async #showBlock({ at, rows }: { readonly at: EpochMs; readonly rows: readonly LiveRow[] }): Promise<void> {
    const { clock, onTrade, enqueue } = this.#options;
    const signal = this.#life;
    await repeatUntil(() => !this.#isFarBehind, { clock, signal, intervalMs: SECOND_MS });
    signal.throwIfAborted();
    this.#blocks = [...this.#blocks, at].slice(-BLOCKS_REMEMBERED);
    for (const { row } of rows) if (row.kind === 'trade') onTrade(row.trade);
    return enqueue(rows, { isWhole: this.#isNodeComplete });
  }

  /** Time of the first trade that the node showed after this moment and that should have been listed since; null: none. */
  #unlistedSince(moment: EpochMs): EpochMs | null {
    const latest = this.#options.clock.now() - MISSING_MS;
    return this.#blocks.find((at) => at > moment && at <= latest) ?? null;
  }

  /** A trade of the stream is no fact yet. The list is read every second until it must have it. */
  #streamed(): void {
    const isWaking = this.#isNothingExpected && !this.#isNodeComplete;
    this.#streamedAt = this.#options.clock.now();
    if (isWaking) this.#wokenByStream.notify();
  }

  /** The list has nothing that did not come already: the node shows all that it lists, or the stream is quiet. */
  get #isNothingExpected(): boolean {
    const quietMs = this.#streamQuietMs;
    const hasLacked = Math.abs(this.#options.clock.now() - this.#unstreamedAt) <= INCOMPLETE_MS;
    return this.#isNodeComplete || (quietMs > UNLISTED_MS && quietMs < BELIEVED_MS && !hasLacked);
  }

  get #streamQuietMs(): number {
    return Math.abs(this.#options.clock.now() - this.#streamedAt);
  }
}
