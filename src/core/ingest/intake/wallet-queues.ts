import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../duration.ts';
import type { Logger } from '../../logger.ts';
import type { Knowledge, OldestWaiting } from '../../source/source.ts';
import type { EpochMs } from '../../trade.ts';
import type { IngestMetrics } from '../ingest-metrics.ts';
import type { WalletFactsLoader } from './wallet-facts-loader.ts';
import { createWalletQueue, oldestWaiting, type WalletQueue } from './wallet-queue.ts';

/** How late a trade may grow by waiting, in the source's time; what is older than 24 hours is not judged any more. */
export const LONGEST_WAIT_MS = 20 * HOUR_MS;
/** So long others of the same outcome wait behind a wallet whose facts are asked for. */
const BLOCKING_TIMEOUT_MS = 15 * MINUTE_MS;
/** And so long when they may never come: by then the wallet was asked about twice. */
const UNSETTLED_BLOCKING_TIMEOUT_MS = 5 * SECOND_MS;
/** A wallet whose age no source knew in all attempts is not asked about again for so long. */
const UNKNOWN_MS = HOUR_MS;
const UNKNOWN_MOST = 20_000;
const LOG_EVERY_MS = MINUTE_MS;
/**
 * How far others may be ahead of what waits, and the stream of polling, in the source's time: when days are read in minutes,
 * what is still to be judged must not grow too late (24 hours).
 */
export const MOST_AHEAD_MS = 12 * HOUR_MS;

/** Dependencies of `WalletQueues`. */
export interface WalletQueuesDeps {
  readonly loader: WalletFactsLoader;
  readonly knowledge: Knowledge;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'factsAsked'>;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

/** The wallets that have trades waiting. */
export class WalletQueues {
  readonly #deps: WalletQueuesDeps;
  readonly #onChange: () => void;
  readonly #queues = new Map<string, WalletQueue>();
  /** When the wallet's facts were given up. */
  readonly #unknown = new LRUCache<string, EpochMs>({ max: UNKNOWN_MOST });
  #trades = 0;
  #givenUp = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  /** Time of the oldest trade that others wait for; null when it has to be looked for. */
  #oldest: EpochMs | null = null;

  /** `onChange`: facts of one came, or are not waited for any longer. */
  constructor(deps: WalletQueuesDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#queues.size;
  }

  /** Trades in all queues. */
  get trades(): number {
    return this.#trades;
  }

  /** Wallets whose trades went on without facts. */
  get givenUp(): number {
    return this.#givenUp;
  }

  get(wallet: string): WalletQueue | undefined {
    return this.#queues.get(wallet);
  }

  /** Whether its facts were asked for in vain within the hour. */
  isUnknown(wallet: string): boolean {
    const givenUpAt = this.#unknown.get(wallet);
    return givenUpAt !== undefined && this.#deps.clock.now() - givenUpAt < UNKNOWN_MS;
  }

  /** Without a question: its trades wait for a market, or behind others. */
  open(wallet: string, at: EpochMs): WalletQueue {
    const queue = createWalletQueue(wallet, at);
    this.#queues.set(wallet, queue);
    return queue;
  }

  /** Asks for its facts as of the oldest trade that waits, before which they go; once. */
  ask(queue: WalletQueue): void {
    if (queue.facts === 'not asked') void this.#ask(queue);
  }

  /** So many more trades of one moment wait in the queue. */
  add(queue: WalletQueue, { at, trades }: { readonly at: EpochMs; readonly trades: number }): void {
    queue.trades += trades;
    this.#trades += trades;
    queue.oldestAt = Math.min(queue.oldestAt, at);
    if (this.#oldest !== null && !queue.isBypassed) this.#oldest = Math.min(this.#oldest, at);
  }

  /** So many trades of the queue wait no longer; without any it is closed. */
  remove(queue: WalletQueue, trades: number): void {
    queue.trades -= trades;
    this.#trades -= trades;
    if (queue.trades > 0) return;
    this.#queues.delete(queue.wallet);
    this.#oldest = null;
  }

  /** What it waits for may never come: nobody is held back any more so that its trades can still be judged. */
  bypass(queue: WalletQueue): void {
    queue.isBypassed = true;
    this.#oldest = null;
  }

  /**
   * Lets the trades of one wallet go on without facts: of those whose facts may never come, else of those whose questions
   * fail, the one with the most trades. False when there is none: then all facts are to come.
   */
  giveUpLargest(): boolean {
    const queue =
      this.#largest(({ isUnsettled }) => isUnsettled) ?? this.#largest(({ isFailing }) => isFailing);
    if (queue !== null) this.#giveUp(queue, 'no room for more waiting trades');
    return queue !== null;
  }

  /** No trade later than this is to be handed over, so that those that wait can still be judged. */
  watermark(): EpochMs {
    this.#oldest ??= this.#oldestBlocking();
    return this.#oldest + MOST_AHEAD_MS;
  }

  /** Null when nothing waits. */
  oldest(): OldestWaiting | null {
    let oldest: WalletQueue | null = null;
    for (const queue of this.#queues.values())
      if (oldest === null || queue.oldestAt < oldest.oldestAt) oldest = queue;
    return oldest === null ? null : oldestWaiting(oldest);
  }

  /** Asks until there is an answer or no attempt is left. Others wait for it no longer than their patience. */
  async #ask(queue: WalletQueue): Promise<void> {
    const { loader, signal } = this.#deps;
    queue.facts = 'asked';
    const isAnswered = new AbortController();
    const life = AbortSignal.any([signal, isAnswered.signal]);
    this.#updateAfter(BLOCKING_TIMEOUT_MS, { queue, life, change: { facts: 'overdue' } });
    queue.row = await loader.ask({
      wallet: queue.wallet,
      before: queue.oldestAt,
      isTooLate: this.#isTooLate(queue),
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
    this.#giveUp(queue, 'no facts in 20 hours, or in all attempts');
  }

  /** By the source's time, and by the clock, since the source's time may stand still. */
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
    const { logger, metrics, clock } = this.#deps;
    queue.isGivenUp = true;
    this.#givenUp += 1;
    metrics.factsAsked('given_up');
    const isLoud = clock.now() - this.#loggedAt >= LOG_EVERY_MS;
    if (isLoud) this.#loggedAt = clock.now();
    const fields = { wallet: queue.wallet, trades: queue.trades, reason, givenUp: this.#givenUp };
    logger[isLoud ? 'warn' : 'debug'](fields, 'a wallet is judged without facts');
    this.#settle(queue);
  }

  #settle(queue: WalletQueue): void {
    queue.facts = 'settled';
    this.#change();
  }

  #change(): void {
    this.#oldest = null;
    this.#onChange();
  }

  #largest(isAmong: (queue: WalletQueue) => boolean): WalletQueue | null {
    let largest: WalletQueue | null = null;
    for (const queue of this.#queues.values())
      if (isAmong(queue) && queue.facts !== 'settled' && queue.trades > (largest?.trades ?? 0))
        largest = queue;
    return largest;
  }

  #oldestBlocking(): EpochMs {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { isBypassed, oldestAt } of this.#queues.values())
      if (!isBypassed) oldest = Math.min(oldest, oldestAt);
    return oldest;
  }
}
