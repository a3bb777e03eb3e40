import { backoffMs, withoutJitter } from '../../src/core/async/backoff.ts';
import type { Clock } from '../../src/core/clock.ts';
import { SECOND_MS } from '../../src/core/duration.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { BotStatus } from '../shared/chat-bot.ts';
import { refusedWaitMs } from '../shared/refused-token.ts';
import { describe, isConflict, isTokenError } from './errors.ts';

/** Tries again what must succeed, and knows how the bot stands. */
export interface OutageTracker {
  /** Calls until it succeeds: after a refused token at first a minute later, else after a second. Rejects when the signal aborts. */
  retry<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>;
  status(): BotStatus;
  /** It is stopped from now on, whatever happens. */
  end(): void;
}

export interface OutageTrackerDeps {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The setting that holds the token. */
  readonly setting: string;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: 30 * SECOND_MS };
/** The same trouble, coming and going, is logged again after so long. */
const LOG_AGAIN_MS = 600_000;

export function createOutageTracker({ clock, logger, setting }: OutageTrackerDeps): OutageTracker {
  let status: BotStatus = { state: 'starting', detail: null };
  let isReported = false;
  const reportedAt = new Map<Trouble, number>();

  function fail(error: unknown): void {
    const detail = describe(error);
    if (status.state === 'stopped') return;
    const trouble = troubleOf(error);
    status = { state: trouble === 'refused' ? 'refused' : 'failing', detail };
    if (clock.now() - (reportedAt.get(trouble) ?? Number.NEGATIVE_INFINITY) < LOG_AGAIN_MS) return;
    reportedAt.set(trouble, clock.now());
    isReported = true;
    const level = trouble === 'outage' ? 'warn' : 'error';
    logger[level]({ setting, detail }, WORDS[trouble](setting));
  }

  function succeed(): void {
    if (status.state === 'stopped') return;
    if (isReported) logger.info({ setting }, 'the Telegram bot runs again');
    isReported = false;
    status = { state: 'running', detail: null };
  }

  return {
    async retry(call, signal) {
      let refusals = 0;
      for (let failures = 1; ; failures += 1) {
        try {
          const answer = await call();
          succeed();
          return answer;
        } catch (error) {
          if (signal.aborted) throw error;
          fail(error);
          if (isTokenError(error)) refusals += 1;
          const waitMs = isTokenError(error)
            ? refusedWaitMs(refusals)
            : backoffMs(BACKOFF, failures, withoutJitter);
          await clock.sleep(Math.max(waitMs, waitWanted(error)), signal);
          if (signal.aborted) throw error;
        }
      }
    },
    status: () => status,
    end() {
      status = { state: 'stopped', detail: null };
    },
  };
}

type Trouble = 'refused' | 'conflict' | 'outage';

const WORDS: Readonly<Record<Trouble, (setting: string) => string>> = {
  refused: (setting) => `Telegram refuses the token in ${setting}; it is tried again`,
  conflict: (setting) =>
    `another program takes the updates of the token in ${setting}; it is tried again until that one stops`,
  outage: () => 'the Telegram bot does not run; it is tried again',
};

function troubleOf(error: unknown): Trouble {
  if (isTokenError(error)) return 'refused';
  return isConflict(error) ? 'conflict' : 'outage';
}

function waitWanted(error: unknown): number {
  const { parameters } = error as { readonly parameters?: { readonly retry_after?: number } };
  return (parameters?.retry_after ?? 0) * 1_000;
}
