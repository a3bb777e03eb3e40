import type { Clock } from '../../clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../duration.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Knowledge, OldestWaiting } from '../../ports/source.ts';
import { createRecentMap } from '../../recent-map.ts';
import type { EpochMs } from '../../trade.ts';
import type { FactsDesk } from './facts-desk.ts';
import { newLine, oldestWaiting, type WalletLine } from './wallet-line.ts';

/** How late a trade may grow by waiting, in the source's time; what is older than 24 hours is not judged any more. */
export const LONGEST_WAIT_MS = 20 * HOUR_MS;
/** So long others of the same outcome wait behind a wallet whose facts are asked for. */
const PATIENCE_MS = 15 * MINUTE_MS;
/** And so long when they may never come: by then the wallet was asked about twice. */
const UNSETTLED_PATIENCE_MS = 5 * SECOND_MS;
/** A wallet whose age no source knew in all attempts is not asked about again for so long. */
const UNKNOWN_MS = HOUR_MS;
const UNKNOWN_MOST = 20_000;
const LOG_EVERY_MS = MINUTE_MS;
/**
 * How far others may be ahead of what waits, and the stream of polling, in the source's time: when days are read in minutes,
 * what is still to be judged must not grow too late (24 hours).
 */
export const MOST_AHEAD_MS = 12 * HOUR_MS;

/** Dependencies of `WalletLines`. */
export interface WalletLinesDeps {
  readonly desk: FactsDesk;
  readonly knowledge: Knowledge;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'factsAsked'>;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

/** The wallets that have trades waiting. */
export class WalletLines {
  readonly #deps: WalletLinesDeps;
  readonly #onChange: () => void;
  readonly #lines = new Map<string, WalletLine>();
  /** When the wallet's facts were given up. */
  readonly #unknown = createRecentMap<EpochMs>(UNKNOWN_MOST);
  #trades = 0;
  #givenUp = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  /** Time of the oldest trade that others wait for; null when it has to be looked for. */
  #oldest: EpochMs | null = null;

  /** `onChange`: facts of one came, or are not waited for any longer. */
  constructor(deps: WalletLinesDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#lines.size;
  }

  /** Trades in all lines. */
  get trades(): number {
    return this.#trades;
  }

  /** Wallets whose trades went on without facts. */
  get givenUp(): number {
    return this.#givenUp;
  }

  get(wallet: string): WalletLine | undefined {
    return this.#lines.get(wallet);
  }

  /** Whether its facts were asked for in vain within the hour. */
  isUnknown(wallet: string): boolean {
    const givenUpAt = this.#unknown.get(wallet);
    return givenUpAt !== undefined && this.#deps.clock.now() - givenUpAt < UNKNOWN_MS;
  }

  /** Without a question: its trades wait for a market, or behind others. */
  open(wallet: string, at: EpochMs): WalletLine {
    const line = newLine(wallet, at);
    this.#lines.set(wallet, line);
    return line;
  }

  /** Asks for its facts as of the oldest trade that waits, before which they go; once. */
  ask(line: WalletLine): void {
    if (line.facts === 'not asked') void this.#ask(line);
  }

  /** So many more trades of one moment wait in the line. */
  add(line: WalletLine, { at, trades }: { readonly at: EpochMs; readonly trades: number }): void {
    line.trades += trades;
    this.#trades += trades;
    line.oldestAt = Math.min(line.oldestAt, at);
    if (this.#oldest !== null && !line.isHopeless) this.#oldest = Math.min(this.#oldest, at);
  }

  /** So many trades of the line wait no longer; without any it is closed. */
  remove(line: WalletLine, trades: number): void {
    line.trades -= trades;
    this.#trades -= trades;
    if (line.trades > 0) return;
    this.#lines.delete(line.wallet);
    this.#oldest = null;
  }

  /** What it waits for may never come: nobody is held back any more so that its trades can still be judged. */
  letOthersPass(line: WalletLine): void {
    line.isHopeless = true;
    this.#oldest = null;
  }

  /**
   * Lets the trades of one wallet go on without facts: of those whose facts may never come, else of those whose questions
   * fail, the one with the most trades. False when there is none: then all facts are to come.
   */
  giveUpLargest(): boolean {
    const line =
      this.#largest(({ isUnsettled }) => isUnsettled) ?? this.#largest(({ isFailing }) => isFailing);
    if (line !== null) this.#giveUp(line, 'no room for more waiting trades');
    return line !== null;
  }

  /** No trade later than this is to be handed over, so that those that wait can still be judged. */
  horizon(): EpochMs {
    this.#oldest ??= this.#oldestHoped();
    return this.#oldest + MOST_AHEAD_MS;
  }

  /** Null when nothing waits. */
  oldest(): OldestWaiting | null {
    let oldest: WalletLine | null = null;
    for (const line of this.#lines.values())
      if (oldest === null || line.oldestAt < oldest.oldestAt) oldest = line;
    return oldest === null ? null : oldestWaiting(oldest);
  }

  /** Asks until there is an answer or no attempt is left. Others wait for it no longer than their patience. */
  async #ask(line: WalletLine): Promise<void> {
    const { desk, signal } = this.#deps;
    line.facts = 'asked';
    const isAnswered = new AbortController();
    const life = AbortSignal.any([signal, isAnswered.signal]);
    this.#doubtAfter(PATIENCE_MS, { line, life, doubt: { facts: 'doubtful' } });
    line.row = await desk.ask({
      wallet: line.wallet,
      before: line.oldestAt,
      isTooLate: this.#deadline(line),
      onFailing: () => this.#doubt(line, { isFailing: true }),
      onUnsettled: () => {
        if (line.isUnsettled) return;
        this.#doubt(line, { isUnsettled: true });
        const doubt = { facts: 'doubtful', isHopeless: true } as const;
        this.#doubtAfter(UNSETTLED_PATIENCE_MS, { line, life, doubt });
      },
    });
    isAnswered.abort();
    if (line.isGivenUp || signal.aborted) return;
    if (line.row !== null) return this.#settle(line);
    if (line.isUnsettled && !line.isFailing) this.#unknown.set(line.wallet, this.#deps.clock.now());
    this.#giveUp(line, 'no facts in 20 hours, or in all attempts');
  }

  /** By the source's time, and by the clock, since the source's time may stand still. */
  #deadline(line: WalletLine): () => boolean {
    const { knowledge, clock } = this.#deps;
    const askedAt = clock.now();
    return () =>
      line.isGivenUp ||
      knowledge.time - line.oldestAt >= LONGEST_WAIT_MS ||
      clock.now() - askedAt >= LONGEST_WAIT_MS;
  }

  #doubtAfter(
    ms: number,
    { line, life, doubt }: { line: WalletLine; life: AbortSignal; doubt: Partial<WalletLine> },
  ): void {
    void this.#deps.clock.sleep(ms, life).then(() => this.#doubt(line, doubt));
  }

  #doubt(line: WalletLine, doubt: Partial<WalletLine>): void {
    if (line.facts === 'settled') return;
    Object.assign(line, doubt);
    this.#change();
  }

  #giveUp(line: WalletLine, reason: string): void {
    const { logger, metrics, clock } = this.#deps;
    line.isGivenUp = true;
    this.#givenUp += 1;
    metrics.factsAsked('given_up');
    const isLoud = clock.now() - this.#loggedAt >= LOG_EVERY_MS;
    if (isLoud) this.#loggedAt = clock.now();
    const fields = { wallet: line.wallet, trades: line.trades, reason, givenUp: this.#givenUp };
    logger[isLoud ? 'warn' : 'debug'](fields, 'a wallet is judged without facts');
    this.#settle(line);
  }

  #settle(line: WalletLine): void {
    line.facts = 'settled';
    this.#change();
  }

  #change(): void {
    this.#oldest = null;
    this.#onChange();
  }

  #largest(isAmong: (line: WalletLine) => boolean): WalletLine | null {
    let largest: WalletLine | null = null;
    for (const line of this.#lines.values())
      if (isAmong(line) && line.facts !== 'settled' && line.trades > (largest?.trades ?? 0)) largest = line;
    return largest;
  }

  #oldestHoped(): EpochMs {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { isHopeless, oldestAt } of this.#lines.values())
      if (!isHopeless) oldest = Math.min(oldest, oldestAt);
    return oldest;
  }
}
