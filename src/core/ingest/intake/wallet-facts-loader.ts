import pLimit from 'p-limit';
import { FailureLog } from '../../base/async/failure-log.ts';
import { type BackoffPolicy, backoffMs } from '../../base/async/retry.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { WalletFactsAnswer } from '../../trades/source/facts-sources.ts';
import type { LiveRow } from '../../trades/source/source.ts';
import type { IntakeRunDeps } from '../ingest-deps.ts';

/** Parallel requests: at half a second each, enough for more new relevant wallets than the market has. */
const AT_ONCE = 16;
const AFTER_FAILURE = { firstMs: SECOND_MS, mostMs: 5 * MINUTE_MS };
/** The first pause is short: the market lists a trade seconds after the chain shows it. */
const AFTER_UNSETTLED = { firstMs: 4 * SECOND_MS, mostMs: HOUR_MS };
/** Attempts in about half an hour. */
const UNSETTLED_MAX = 10;
/** Failures in a row: while other requests succeed, for about a minute, for about an hour, and more than fit in 20 hours. */
const FAILURES = { alone: 3, persistent: 6, long: 24, max: 400 };
/** When one failed request succeeds again, the others are retried early, at most this often. */
const RETRY_EARLY_EVERY_MS = 30 * SECOND_MS;

interface WalletFactsRequest {
  readonly wallet: string;
  readonly before: EpochMs;
  /** Checked between two attempts. */
  isTooLate(): boolean;
  /** After each attempt: whether the market answered, if only that it does not know the age (yet). */
  onAttempt(hasAnswered: boolean): void;
  /** The attempts have failed for most of a minute. */
  onFailing(): void;
  /**
   * The facts may never come: the market answered without an age, failed for this wallet while it answered for others, or
   * failed for most of an hour. The attempts continue, which may take long.
   */
  onUnsettled(): void;
}

interface Attempts {
  unsettled: number;
  /** Failures in a row, without those of early retries. */
  failures: number;
  /** Those among them with answers for other wallets since the previous attempt. */
  failuresAlone: number;
  answersSeen: number;
}

/**
 * Loads the facts of wallets, 16 at a time, with backoff and a limited number of attempts for each wallet. Not `retry`: an
 * unsettled answer is not an error and has its own backoff, and a success ends the pauses of the others.
 */
export class WalletFactsLoader {
  readonly #deps: IntakeRunDeps;
  readonly #limit = pLimit(AT_ONCE);
  readonly #failures: FailureLog;
  asking = 0;
  #answers = 0;
  /** Aborted to end the pauses after failures. */
  #retryEarly = new AbortController();
  #retriedEarlyAt = Number.NEGATIVE_INFINITY;

  constructor(deps: IntakeRunDeps) {
    this.#deps = deps;
    this.#failures = new FailureLog(deps.logger, 'wallet facts unavailable; trades wait for them, retrying');
  }

  /** The wallet's row; null when all attempts failed, it is too late, or the signal aborted. Never rejects. */
  async ask(request: WalletFactsRequest): Promise<LiveRow | null> {
    this.asking += 1;
    const row = await this.#askUntilAnswered(request);
    this.asking -= 1;
    return row;
  }

  async #askUntilAnswered(request: WalletFactsRequest): Promise<LiveRow | null> {
    const { signal } = this.#deps;
    const attempts: Attempts = { unsettled: 0, failures: 0, failuresAlone: 0, answersSeen: this.#answers };
    let isEarly = false;
    while (!signal.aborted && !request.isTooLate()) {
      const answer = await this.#limit(() => this.#attempt(request));
      if (signal.aborted || answer === null) return null;
      request.onAttempt(answer.kind !== 'failed');
      if (answer.kind === 'failed') {
        if (!isEarly) this.#countFailure(attempts, request, answer.error);
        if (attempts.failures >= FAILURES.max) return null;
        isEarly = await this.#waitAfterFailure(attempts);
        continue;
      }
      if (attempts.failures > 0) this.#recovered();
      if (answer.kind === 'settled') return answer.row;
      Object.assign(attempts, { unsettled: attempts.unsettled + 1, failures: 0, failuresAlone: 0 });
      request.onUnsettled();
      if (attempts.unsettled >= UNSETTLED_MAX) return null;
      await this.#sleep(AFTER_UNSETTLED, attempts.unsettled, signal);
      isEarly = false;
    }
    return null;
  }

  async #attempt({
    wallet,
    before,
  }: WalletFactsRequest): Promise<
    WalletFactsAnswer | { readonly kind: 'failed'; readonly error: unknown } | null
  > {
    const { facts, logger, signal } = this.#deps;
    if (signal.aborted) return null;
    try {
      const answer = await facts.ask(wallet, before, signal);
      this.#answers += 1;
      if (answer.kind === 'unsettled')
        logger.debug({ wallet, reason: answer.reason }, 'wallet facts unsettled');
      return answer;
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  #countFailure(attempts: Attempts, request: WalletFactsRequest, error: unknown): void {
    attempts.failures += 1;
    if (this.#answers > attempts.answersSeen) attempts.failuresAlone += 1;
    attempts.answersSeen = this.#answers;
    const { failures, failuresAlone } = attempts;
    if (failures === FAILURES.persistent) {
      request.onFailing();
      this.#failures.failed(error, { wallet: request.wallet });
    }
    if (failuresAlone === FAILURES.alone || failures === FAILURES.long) request.onUnsettled();
  }

  async #waitAfterFailure({ failures }: Attempts): Promise<boolean> {
    const early = this.#retryEarly.signal;
    await this.#sleep(AFTER_FAILURE, failures, AbortSignal.any([this.#deps.signal, early]));
    return early.aborted;
  }

  /** A request succeeded after failures, so others may succeed too. */
  #recovered(): void {
    const { clock, logger } = this.#deps;
    if (this.#failures.isFailing) logger.info({}, 'wallet facts available again');
    this.#failures.succeeded();
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
