import { backoffMs, retry, withoutJitter } from '../../src/core/base/async/retry.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { type ConnectionStatus, refusedWaitMs } from '../shared/chat-bot.ts';
import { isConflict, isTokenError, requestedWaitMs, telegramReason } from './failures.ts';

interface OutageTrackerOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The setting of the token. */
  readonly setting: string;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: 30 * SECOND_MS };
/** An outage of the same kind is logged at most this often. */
const LOG_INTERVAL_MS = 10 * MINUTE_MS;
/** A webhook is quiet also when Telegram refuses the token or does not reach it: Telegram is asked. */
export const LOOK_MS = MINUTE_MS;

/** Retries the calls that a bot needs to run, and derives its status from them. */
export class OutageTracker {
  readonly #options: OutageTrackerOptions;
  #status: ConnectionStatus = { state: 'starting', detail: null };
  #isReported = false;
  readonly #loggedAt = new Map<Outage, number>();

  constructor(options: OutageTrackerOptions) {
    this.#options = options;
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Sets the status to `stopped`; later outcomes do not change it. */
  end(): void {
    this.#status = { state: 'stopped', detail: null };
  }

  /**
   * Calls until it succeeds: with a backoff from 1 s to 30 s, and from one minute after a refused token. Rejects when the
   * signal aborts.
   */
  async retry<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    let refusals = 0;
    const attempt = async () => {
      try {
        const answer = await call();
        this.#succeeded();
        return answer;
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
        throw error;
      }
    };
    const backoff = (error: unknown, failures: number) => {
      if (isTokenError(error)) return Math.max(refusedWaitMs(++refusals), requestedWaitMs(error));
      const waitMs = error instanceof UndeliveredError ? LOOK_MS : requestedWaitMs(error);
      return Math.max(waitMs, backoffMs(BACKOFF, failures, withoutJitter));
    };
    return retry(attempt, { clock: this.#options.clock, signal, backoff });
  }

  #failed(error: unknown): void {
    if (this.#status.state === 'stopped') return;
    const { clock, logger, setting } = this.#options;
    const detail = telegramReason(error);
    const outage = outageOf(error);
    const state = outage === 'refused' || outage === 'unreachable' ? outage : 'failing';
    this.#status = { state, detail };
    if (clock.now() - (this.#loggedAt.get(outage) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return;
    this.#loggedAt.set(outage, clock.now());
    this.#isReported = true;
    logger[outage === 'unavailable' ? 'warn' : 'error']({ setting, detail }, MESSAGES[outage](setting));
  }

  #succeeded(): void {
    if (this.#status.state === 'stopped') return;
    const { logger, setting } = this.#options;
    if (this.#isReported) logger.info({ setting }, 'the Telegram bot runs again');
    this.#isReported = false;
    this.#status = { state: 'running', detail: null };
  }
}

/** Telegram answers, and cannot deliver updates. */
export class UndeliveredError extends Error {}

type Outage = 'refused' | 'conflict' | 'unreachable' | 'unavailable';

const MESSAGES: Readonly<Record<Outage, (setting: string) => string>> = {
  refused: (setting) => `Telegram refused the token in ${setting}; retrying`,
  conflict: (setting) =>
    `another program takes the updates of the token in ${setting}; retrying until it stops`,
  unreachable: () =>
    'Telegram cannot deliver updates: check TELEGRAM_WEBHOOK_URL and what is in front of it; looking every minute',
  unavailable: () => 'Telegram is unavailable; the bot does not run; retrying',
};

function outageOf(error: unknown): Outage {
  if (isTokenError(error)) return 'refused';
  if (error instanceof UndeliveredError) return 'unreachable';
  return isConflict(error) ? 'conflict' : 'unavailable';
}
