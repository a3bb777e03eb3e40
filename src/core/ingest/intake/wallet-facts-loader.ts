import pLimit from 'p-limit';
import { type BackoffPolicy, backoffMs } from '../../async/backoff.ts';
import type { Clock } from '../../clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../duration.ts';
import type { Logger } from '../../logger.ts';
import type { LiveRow } from '../../source/source.ts';
import type { WalletFactsAnswer, WalletFactsSource } from '../../source/wallet-facts-source.ts';
import type { EpochMs } from '../../trade.ts';

/** Wallets asked about at once: at half a second each, more than the market has new wallets that matter. */
const AT_ONCE = 16;
const AFTER_FAILURE = { firstMs: SECOND_MS, mostMs: 5 * MINUTE_MS };
/** The first is short: the market lists a trade seconds after the chain shows it. */
const AFTER_UNSETTLED = { firstMs: 4 * SECOND_MS, mostMs: HOUR_MS };
/** Attempts in about half an hour. */
const UNSETTLED_MAX = 10;
/** Failures in a row: while others are answered, of about a minute, of about an hour, and more than fit in 20 hours. */
const FAILURES = { alone: 3, persistent: 6, long: 24, max: 400 };
/** Failed questions are asked again early, at most this often, when one of them is answered. */
const RETRY_EARLY_EVERY_MS = 30 * SECOND_MS;

/** Whose facts are wanted: as of the moment, and until it is too late for them. */
export interface WalletFactsRequest {
  readonly wallet: string;
  readonly before: EpochMs;
  /** Looked at between two attempts. */
  isTooLate(): boolean;
  /** The attempts failed for most of a minute. */
  onFailing(): void;
  /**
   * The facts may never come: the market answered and knows no age, failed for this wallet while it answered for others, or
   * failed for most of an hour. The wallet is asked about again, which may take long.
   */
  onUnsettled(): void;
}

/** Dependencies of `WalletFactsLoader`. `random`: from 0 up to 1, spreads the attempts. */
export interface WalletFactsLoaderDeps {
  readonly facts: WalletFactsSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** The attempt rejected. */
interface Failed {
  readonly kind: 'failed';
  readonly error: unknown;
}

/** Attempts for one question so far. */
interface Attempts {
  unsettled: number;
  /** In a row, without those that came early. */
  failures: number;
  /** Of these, with answers for other wallets since the attempt before. */
  failuresAlone: number;
  answersSeen: number;
}

/**
 * Asks about 16 wallets at once, again and again until there is an answer, with waits that double; the attempts for one
 * wallet have an end. Ends with the signal.
 */
export class WalletFactsLoader {
  readonly #deps: WalletFactsLoaderDeps;
  readonly #signal: AbortSignal;
  readonly #limit = pLimit(AT_ONCE);
  #asking = 0;
  /** Answers for any wallet. */
  #answers = 0;
  #isFailing = false;
  /** Aborted to end the waits after failures. */
  #retryEarly = new AbortController();
  #retriedEarlyAt = Number.NEGATIVE_INFINITY;

  constructor(deps: WalletFactsLoaderDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /** Questions that have no answer yet. */
  get asking(): number {
    return this.#asking;
  }

  /** The wallet's row; null when no attempt gave it, it grew too late, or the signal aborted. Never rejects. */
  async ask(question: WalletFactsRequest): Promise<LiveRow | null> {
    this.#asking += 1;
    const row = await this.#askUntilAnswered(question);
    this.#asking -= 1;
    return row;
  }

  async #askUntilAnswered(question: WalletFactsRequest): Promise<LiveRow | null> {
    const attempts: Attempts = { unsettled: 0, failures: 0, failuresAlone: 0, answersSeen: this.#answers };
    let isEarly = false;
    while (!this.#signal.aborted && !question.isTooLate()) {
      const answer = await this.#limit(() => this.#attempt(question));
      if (this.#signal.aborted || answer === null) return null;
      if (answer.kind === 'failed') {
        if (!isEarly) this.#countFailure(attempts, question, answer.error);
        if (attempts.failures >= FAILURES.max) return null;
        isEarly = await this.#waitAfterFailure(attempts);
        continue;
      }
      if (attempts.failures > 0) this.#recovered();
      if (answer.kind === 'settled') return answer.row;
      Object.assign(attempts, { unsettled: attempts.unsettled + 1, failures: 0, failuresAlone: 0 });
      question.onUnsettled();
      if (attempts.unsettled >= UNSETTLED_MAX) return null;
      await this.#sleep(AFTER_UNSETTLED, attempts.unsettled, this.#signal);
      isEarly = false;
    }
    return null;
  }

  async #attempt({ wallet, before }: WalletFactsRequest): Promise<WalletFactsAnswer | Failed | null> {
    if (this.#signal.aborted) return null;
    try {
      const answer = await this.#deps.facts.ask(wallet, before, this.#signal);
      this.#answers += 1;
      if (answer.kind === 'unsettled')
        this.#deps.logger.debug({ wallet, reason: answer.reason }, 'wallet facts unsettled');
      return answer;
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  #countFailure(attempts: Attempts, question: WalletFactsRequest, error: unknown): void {
    attempts.failures += 1;
    if (this.#answers > attempts.answersSeen) attempts.failuresAlone += 1;
    attempts.answersSeen = this.#answers;
    const { failures, failuresAlone } = attempts;
    if (failures === FAILURES.persistent) this.#failing(question, error);
    if (failuresAlone === FAILURES.alone || failures === FAILURES.long) question.onUnsettled();
  }

  #failing(question: WalletFactsRequest, error: unknown): void {
    question.onFailing();
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#deps.logger.warn(
      { wallet: question.wallet, err: error },
      'wallet facts fail; trades wait for them',
    );
  }

  /** Whether the wait ended early. */
  async #waitAfterFailure({ failures }: Attempts): Promise<boolean> {
    const early = this.#retryEarly.signal;
    await this.#sleep(AFTER_FAILURE, failures, AbortSignal.any([this.#signal, early]));
    return early.aborted;
  }

  /** What failed before is answered now: others may be, too. */
  #recovered(): void {
    const { clock, logger } = this.#deps;
    if (this.#isFailing) logger.info({}, 'wallet facts available again');
    this.#isFailing = false;
    if (clock.now() - this.#retriedEarlyAt < RETRY_EARLY_EVERY_MS) return;
    this.#retriedEarlyAt = clock.now();
    this.#retryEarly.abort();
    this.#retryEarly = new AbortController();
  }

  #sleep(backoff: BackoffPolicy, count: number, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#deps;
    return clock.sleep(backoffMs(backoff, count, random), signal);
  }
}
