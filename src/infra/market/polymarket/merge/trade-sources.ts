import { allOrNone, repeatUntil } from '../../../../core/base/async/repeat.ts';
import { type EpochMs, HOUR_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { EnqueueOptions } from '../../../../core/ingest/intake.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { LiveRow, SourceStatus } from '../../../../core/trades/source/source.ts';
import type { Trade, TradeSource } from '../../../../core/trades/trade.ts';
import { ChainFeed } from '../chain/chain-feed.ts';
import { exchangesOf } from '../chain/order-filled.ts';
import type { FeedTools, MarketUrls } from '../client/market-client.ts';
import type { MarketCoverage } from '../client/market-clock.ts';
import type { TokenCatalogue } from '../markets/token-catalogue.ts';
import { TradePoll } from '../trades/trade-poll.ts';
import { STREAM_SILENCE_MS, TradeStream } from '../trades/trade-stream.ts';
import { leaderOf, type SourceStates } from './leader.ts';
import { NodeCertificate } from './node-certificate.ts';
import { SourceMerger } from './source-merger.ts';
import { UnlistedTrades } from './unlisted-trades.ts';

/** Polling answers while its last fresh page is younger. */
const POLLING_FRESH_MS = 15 * SECOND_MS;
/** Trades of 24 hours ago are no longer judged: nothing newer passes while polling has so far to read back. */
const BEHIND_MAX_MS = 12 * HOUR_MS;

interface TradeSourcesOptions extends FeedTools {
  readonly market: Pick<MarketUrls, 'streamUrl' | 'rpcUrl' | 'extraExchanges' | 'proxies'>;
  readonly metrics: Metrics;
  readonly coverage: MarketCoverage;
  readonly tokens: Pick<TokenCatalogue, 'get' | 'lookUp'>;
  readonly knows: (trade: Trade) => boolean;
  readonly enqueue: (rows: readonly LiveRow[], options?: EnqueueOptions) => Promise<void>;
  readonly onTrade: (trade: Trade) => void;
}

export class TradeSources {
  readonly #options: TradeSourcesOptions;
  readonly #merger: SourceMerger;
  readonly #unlisted: UnlistedTrades;
  readonly #poll: TradePoll;
  readonly #stream: TradeStream;
  readonly #node: ChainFeed | null;
  /** The start counts: nothing may overtake the first walk, which may reach back for days. */
  #polledAsOf: EpochMs;
  readonly #certificate: NodeCertificate;
  #life = new AbortController().signal;
  #leader: TradeSource = 'polling';
  #isProvisional = false;
  #streamedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TradeSourcesOptions) {
    const { clock, random, logger, metrics, market, coverage, knows, enqueue } = options;
    this.#options = options;
    this.#polledAsOf = clock.now();
    metrics.feedLeader(this.#leader);
    this.#merger = new SourceMerger({ clock, metrics, leader: () => this.#leader, knows, enqueue });
    this.#unlisted = new UnlistedTrades({ clock, logger, metrics });
    this.#certificate = new NodeCertificate({ clock, logger, coverage });
    this.#poll = this.#openPoll();
    const onTrade = (row: LiveRow) => this.#streamed(row);
    const { streamUrl: url, proxies } = market;
    this.#stream = new TradeStream({ url, proxies, clock, random, logger, metrics, onTrade });
    this.#node = this.#openNode();
  }

  run(signal: AbortSignal): Promise<void> {
    const node = this.#node;
    return allOrNone(signal, [
      (life) => this.#merger.run(life, () => this.#update()),
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
    const stream = { isOpen: this.#stream.isOpen, completeness: this.#unlisted.completeness };
    const node = this.#node?.status() ?? null;
    const sources = { leader, held: this.#merger.held, stream, node };
    return { state: position, progress, historyProgress: null, sources };
  }

  /**
   * Time of the oldest trade that a source has shown and that was not enqueued yet, although it may be confirmed. Null when
   * there is none. A trade whose token is unknown counts until polling has listed its time.
   */
  oldestWaiting(): EpochMs | null {
    const held = this.#merger.oldestAt();
    const unknown = this.#node?.status().oldestUnknownToken?.since ?? null;
    if (unknown === null) return held;
    const unlisted = Math.max(unknown, this.#poll.status().confirmedUntil ?? unknown);
    return Math.min(unlisted, held ?? unlisted);
  }

  get listedUntil(): EpochMs | null {
    return this.#poll.status().newestTradeAt;
  }

  /** What the node confirms, the leader, trades that expire, and whether all is provisional. */
  #update(): SourceStates {
    this.#certificate.update(this.#poll.status().confirmedUntil);
    const states = this.#states();
    const { isNodeAtHead, isStreamAlive, isPollingFresh, isPollingBehind } = states;
    this.#follow(leaderOf(states));
    this.#unlisted.expire(isPollingFresh);
    const isAlive = isStreamAlive || isNodeAtHead;
    const isProvisional = isAlive && !isPollingBehind;
    if (isProvisional !== this.#isProvisional) {
      this.#isProvisional = isProvisional;
      const lastAt = Math.max(this.#streamedAt, this.#node?.status().completeUntil ?? this.#streamedAt);
      this.#options.coverage.provisional(isProvisional, isAlive ? undefined : lastAt);
    }
    return states;
  }

  #follow(leader: TradeSource): void {
    const { logger, metrics } = this.#options;
    if (leader === this.#leader) return;
    logger.info({ leader, before: this.#leader }, 'leading source of trades changed');
    this.#leader = leader;
    metrics.feedLeader(leader);
  }

  #states(): SourceStates {
    const isReadingBack = this.#mayBeBehind && this.#poll.status().state !== 'live';
    return {
      isNodeAtHead: this.#isNodeAtHead,
      isNodeComplete: this.#certificate.completeness.isComplete,
      isStreamAlive: Math.abs(this.#options.clock.now() - this.#streamedAt) <= STREAM_SILENCE_MS,
      streamCompleteness: this.#unlisted.completeness,
      isPollingFresh: this.#isPollingFresh,
      isPollingBehind: isReadingBack || this.#isFarBehind,
    };
  }

  get #isNodeAtHead(): boolean {
    return this.#node?.status().isAtHead ?? false;
  }

  get #isPollingFresh(): boolean {
    return Math.abs(this.#options.clock.now() - this.#polledAsOf) <= POLLING_FRESH_MS;
  }

  /** A complete node at the head has shown what polling may still have to read back. */
  get #mayBeBehind(): boolean {
    return this.#isPollingFresh && !(this.#isNodeAtHead && this.#certificate.completeness.isComplete);
  }

  get #isFarBehind(): boolean {
    const { clock, coverage } = this.#options;
    const now = clock.now();
    const unreadFrom = this.#poll.status().confirmedUntil ?? coverage.wantedFrom() ?? now;
    return this.#mayBeBehind && now - unreadFrom > BEHIND_MAX_MS;
  }

  #openPoll(): TradePoll {
    const { client, clock, random, logger, metrics, onDrop, onTrade, knows, coverage } = this.#options;
    return new TradePoll({
      ...{ client, clock, random, logger, metrics, onDrop },
      wantedFrom: coverage.wantedFrom,
      confirmed: coverage.confirmed,
      // A walk of many pages shows before its end that the list answers.
      onPage: (asOf) => this.#listAnswered(asOf),
      fresh: (asOf) => {
        this.#listAnswered(asOf);
        coverage.fresh(asOf);
      },
      // What polling fails to confirm, a node may confirm. What a node has confirmed stays confirmed without it.
      failed: (cause, completeUntil) => {
        if (!this.#certificate.isCurrent) coverage.failed(cause, this.#certificate.keep(completeUntil));
      },
      onListed: (trade) => {
        this.#unlisted.listed(trade);
        this.#certificate.completeness.othersShowed(trade);
        onTrade(trade);
      },
      knows: (trade) => knows(trade) || this.#merger.holds(trade, 'polling'),
      enqueue: (rows) => this.#showPolled(rows),
      isNodeCertified: () => this.#leader === 'node' && this.#certificate.isCurrent,
      unlistedSince: (moment) => this.#unlisted.unlistedSince(moment),
    });
  }

  #listAnswered(asOf: EpochMs): void {
    this.#polledAsOf = Math.max(this.#polledAsOf, asOf);
  }

  #openNode(): ChainFeed | null {
    const { market, clock, random, logger, metrics, tokens, coverage, enqueue } = this.#options;
    const { rpcUrl: url, proxies } = market;
    if (url === null) return null;
    return new ChainFeed({
      ...{ url, proxies, clock, random, logger, metrics, tokens },
      exchanges: exchangesOf(market),
      wantedFrom: coverage.wantedFrom(),
      onBlock: ({ rows }) => this.#showBlock(rows),
      onRemoved: (rows) => {
        metrics.feedTradesRemoved(rows.length);
        return enqueue(rows);
      },
      onShown: (at, fills) => this.#certificate.completeness.nodeShowed(at, fills),
      onComplete: (span) => this.#certificate.passed(span),
    });
  }

  #showPolled(rows: readonly LiveRow[]): Promise<void> {
    for (const { row } of rows)
      if (row.kind === 'trade' && !this.#merger.holds(row.trade, 'stream')) this.#unlisted.missed(row.trade);
    return this.#merger.show('polling', rows);
  }

  /** A block waits while polling reads back trades from before those that the node may still have. */
  async #showBlock(rows: readonly LiveRow[]): Promise<void> {
    const { clock, onTrade } = this.#options;
    const signal = this.#life;
    await repeatUntil(() => !this.#isFarBehind, { clock, signal, intervalMs: SECOND_MS });
    signal.throwIfAborted();
    for (const { row } of rows) if (row.kind === 'trade') onTrade(row.trade);
    return this.#merger.show('node', rows, true);
  }

  #streamed(live: LiveRow): void {
    if (live.row.kind !== 'trade') return;
    this.#streamedAt = this.#options.clock.now();
    this.#unlisted.shown(live.row.trade);
    this.#certificate.completeness.othersShowed(live.row.trade);
    this.#options.onTrade(live.row.trade);
    this.#merger.push('stream', live);
  }
}
