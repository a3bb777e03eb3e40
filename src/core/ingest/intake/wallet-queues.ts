import { LRUCache } from 'lru-cache';
import { LogThrottle } from '../../base/async/failure-log.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { FactsDelayed } from '../../trades/coverage/blind-window.ts';
import type { LiveRow, OldestWaiting, WaitingStatus } from '../../trades/source/source.ts';
import type { IntakeRunDeps } from '../ingest-deps.ts';
import { WalletFactsLoader } from './wallet-facts-loader.ts';

/** How long a trade may wait, in the source's time; trades older than 24 hours are no longer judged. */
export const LONGEST_WAIT_MS = 20 * HOUR_MS;
/** How long orders of the same outcome wait for a wallet whose facts are being loaded. */
const BLOCKING_TIMEOUT_MS = 15 * MINUTE_MS;
/** The same when the facts may never come: enough for two attempts. */
const UNSETTLED_BLOCKING_TIMEOUT_MS = 5 * SECOND_MS;
/** How long to wait before requesting the facts of a wallet again after all attempts failed to give an age. */
const UNKNOWN_MS = HOUR_MS;
const UNKNOWN_MAX = 20_000;
const LOG_EVERY_MS = MINUTE_MS;
/** Facts usually come within a second. */
const DELAYED_AFTER_MS = 5 * SECOND_MS;
/**
 * How far other trades may be ahead of pending ones, and the stream ahead of polling, in the source's time. Otherwise, when days
 * are read in minutes, pending trades would become too old to be judged (24 hours).
 */
export const MOST_AHEAD_MS = 12 * HOUR_MS;

/** The wallets with pending trades. */
export class WalletQueues {
  readonly #deps: IntakeRunDeps;
  readonly #loader: WalletFactsLoader;
  readonly #queues = new Map<string, WalletQueue>();
  readonly #unknown = new LRUCache<string, EpochMs>({ max: UNKNOWN_MAX });
  #trades = 0;
  #givenUp = 0;
  readonly #throttle: LogThrottle;
  /** Time of the oldest trade that blocks others; null when it must be computed. */
  #oldest: EpochMs | null = null;

  constructor(deps: IntakeRunDeps) {
    this.#deps = deps;
    this.#loader = new WalletFactsLoader(deps);
    this.#throttle = new LogThrottle(deps.clock, LOG_EVERY_MS);
  }

  get trades(): number {
    return this.#trades;
  }

  status(): Omit<WaitingStatus, 'undescribed'> {
    return {
      trades: this.#trades,
      wallets: this.#queues.size,
      asking: this.#loader.asking,
      givenUp: this.#givenUp,
      oldest: this.#oldestWaiting(),
      factsDelayed: this.#factsDelayed(),
    };
  }

  get(wallet: string): WalletQueue | undefined {
    return this.#queues.get(wallet);
  }

  /** Whether all attempts to load its facts failed within the last hour. */
  isUnknown(wallet: string): boolean {
    const givenUpAt = this.#unknown.get(wallet);
    return givenUpAt !== undefined && this.#deps.clock.now() - givenUpAt < UNKNOWN_MS;
  }

  /** Opens a queue without loading facts: its trades wait for a market, or for other trades. */
  open(wallet: string, at: EpochMs): WalletQueue {
    const queue = new WalletQueue(wallet, at);
    this.#queues.set(wallet, queue);
    return queue;
  }

  /** Loads the facts as of the oldest pending trade, once. */
  ask(queue: WalletQueue): void {
    if (queue.facts === 'not asked') void this.#ask(queue);
  }

  /** Counts more pending trades of one moment. */
  add(queue: WalletQueue, { at, trades }: { readonly at: EpochMs; readonly trades: number }): void {
    queue.trades += trades;
    this.#trades += trades;
    queue.oldestAt = Math.min(queue.oldestAt, at);
    if (this.#oldest !== null && !queue.isBypassed) this.#oldest = Math.min(this.#oldest, at);
  }

  /** Counts trades that no longer wait; an empty queue is closed. */
  remove(queue: WalletQueue, trades: number): void {
    queue.trades -= trades;
    this.#trades -= trades;
    if (queue.trades > 0) return;
    this.#queues.delete(queue.wallet);
    this.#oldest = null;
  }

  /** What it waits for may never come, so it no longer holds back the watermark. */
  bypass(queue: WalletQueue): void {
    queue.isBypassed = true;
    this.#oldest = null;
  }

  /**
   * Lets the trades of one wallet continue without facts: the one with the most trades among those whose facts may never
   * come, otherwise among those whose requests fail. False when there is none: then all facts will come.
   */
  giveUpLargest(): boolean {
    const queue = this.#largest('isUnsettled') ?? this.#largest('isFailing');
    if (queue !== null) this.#giveUp(queue, 'no room for more waiting trades');
    return queue !== null;
  }

  /** Trades later than this must wait, so that the pending ones can still be judged. */
  watermark(): EpochMs {
    this.#oldest ??= this.#oldestBlocking();
    return this.#oldest + MOST_AHEAD_MS;
  }

  #oldestWaiting(): OldestWaiting | null {
    let oldest: WalletQueue | null = null;
    for (const queue of this.#queues.values())
      if (oldest === null || queue.oldestAt < oldest.oldestAt) oldest = queue;
    return oldest?.status ?? null;
  }

  /** Trades whose wallets have no answer yet, once the first was requested 5 s ago; null otherwise. */
  #factsDelayed(): FactsDelayed | null {
    let waiting = 0;
    let since = Number.POSITIVE_INFINITY;
    for (const { facts, hasAnswer, askedAt, trades } of this.#queues.values()) {
      if (facts === 'settled' || hasAnswer || askedAt === null) continue;
      waiting += trades;
      since = Math.min(since, askedAt);
    }
    return this.#deps.clock.now() - since < DELAYED_AFTER_MS || waiting === 0 ? null : { waiting, since };
  }

  /** Loads the facts, or gives the wallet up. Other trades wait for it for a limited time only. */
  async #ask(queue: WalletQueue): Promise<void> {
    const { signal } = this.#deps;
    queue.facts = 'asked';
    queue.askedAt = this.#deps.clock.now();
    const isAnswered = new AbortController();
    const life = AbortSignal.any([signal, isAnswered.signal]);
    this.#updateAfter(BLOCKING_TIMEOUT_MS, { queue, life, change: { facts: 'overdue' } });
    queue.row = await this.#loader.ask({
      wallet: queue.wallet,
      before: queue.oldestAt,
      isTooLate: this.#isTooLate(queue),
      onAttempt: (hasAnswered) => {
        queue.hasAnswer = hasAnswered;
      },
      onFailing: () => this.#update(queue, { isFailing: true }),
      onUnsettled: () => {
        if (queue.isUnsettled) return;
        this.#update(queue, { isUnsettled: true });
        const change = { facts: 'overdue', isBypassed: true } as const;
        this.#updateAfter(UNSETTLED_BLOCKING_TIMEOUT_MS, { queue, life, change });
      },
    });
    isAnswered.abort();
    if (queue.isGivenUp || signal.aborted) return;
    if (queue.row !== null) return this.#settle(queue);
    if (queue.isUnsettled && !queue.isFailing) this.#unknown.set(queue.wallet, this.#deps.clock.now());
    this.#giveUp(queue, 'no facts within 20 hours, or all attempts failed');
  }

  /** By the source's time and by the clock, since the source's time may stand still. */
  #isTooLate(queue: WalletQueue): () => boolean {
    const { knowledge, clock } = this.#deps;
    const askedAt = clock.now();
    return () =>
      queue.isGivenUp ||
      knowledge.time - queue.oldestAt >= LONGEST_WAIT_MS ||
      clock.now() - askedAt >= LONGEST_WAIT_MS;
  }

  #updateAfter(
    ms: number,
    { queue, life, change }: { queue: WalletQueue; life: AbortSignal; change: Partial<WalletQueue> },
  ): void {
    void this.#deps.clock.sleep(ms, life).then(() => this.#update(queue, change));
  }

  #update(queue: WalletQueue, change: Partial<WalletQueue>): void {
    if (queue.facts === 'settled') return;
    Object.assign(queue, change);
    this.#change();
  }

  #giveUp(queue: WalletQueue, reason: string): void {
    const { logger, metrics } = this.#deps;
    queue.isGivenUp = true;
    this.#givenUp += 1;
    metrics.factsAsked('given_up');
    const fields = { wallet: queue.wallet, trades: queue.trades, reason, givenUp: this.#givenUp };
    logger[this.#throttle.take() === null ? 'debug' : 'warn'](fields, 'wallet judged without facts');
    this.#settle(queue);
  }

  #settle(queue: WalletQueue): void {
    queue.facts = 'settled';
    this.#change();
  }

  #change(): void {
    this.#oldest = null;
    this.#deps.onChange();
  }

  #largest(flag: 'isUnsettled' | 'isFailing'): WalletQueue | null {
    let largest: WalletQueue | null = null;
    for (const queue of this.#queues.values())
      if (queue[flag] && queue.facts !== 'settled' && queue.trades > (largest?.trades ?? 0)) largest = queue;
    return largest;
  }

  #oldestBlocking(): EpochMs {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { isBypassed, oldestAt } of this.#queues.values())
      if (!isBypassed) oldest = Math.min(oldest, oldestAt);
    return oldest;
  }
}

/** The pending trades of one wallet. */
export class WalletQueue {
  readonly wallet: string;
  trades = 0;
  oldestAt: EpochMs;
  /** `overdue`: they take long, so that others of the same outcome do not wait for them. */
  facts: 'not asked' | 'asked' | 'overdue' | 'settled' = 'not asked';
  /** When the facts were requested first, by the clock; null before. */
  askedAt: EpochMs | null = null;
  /** Whether the last request was answered, if only without an age. */
  hasAnswer = false;
  /** The requests have failed for most of a minute. */
  isFailing = false;
  isUnsettled = false;
  /** They may never come and were waited for long enough: nothing waits for them any longer. */
  isBypassed = false;
  /** Its trades continue without facts. */
  isGivenUp = false;
  /** The wallet's row, which precedes its next trade. */
  row: LiveRow | null = null;

  constructor(wallet: string, oldestAt: EpochMs) {
    this.wallet = wallet;
    this.oldestAt = oldestAt;
  }

  get status(): OldestWaiting {
    const { wallet, oldestAt: at, trades } = this;
    return { wallet, at, trades, facts: this.#factsStatus() };
  }

  #factsStatus(): OldestWaiting['facts'] {
    if (this.facts === 'settled' || this.facts === 'not asked') return 'settled';
    if (this.isUnsettled) return 'unsettled';
    return this.isFailing ? 'failing' : 'asked';
  }
}
