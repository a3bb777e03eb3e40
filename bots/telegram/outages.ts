import type { Clock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { BotStatus } from '../shared/chat-bot.ts';
import { describe, isConflict, isTokenError } from './errors.ts';

/** Tries again what must succeed, and knows how the bot stands. */
export interface Outages {
  /** Calls until it succeeds. Rejects when the token is refused, and when the signal aborts. */
  through<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>;
  status(): BotStatus;
  /** It is stopped from now on, whatever happens. */
  end(): void;
}

export interface OutageDeps {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The setting that holds the token. */
  readonly setting: string;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The same trouble, coming and going, is logged again after so long. */
const TELL_AGAIN_MS = 600_000;

export function createOutages({ clock, logger, setting }: OutageDeps): Outages {
  let status: BotStatus = { state: 'starting', detail: null };
  let isTold = false;
  const toldAt = { conflict: Number.NEGATIVE_INFINITY, outage: Number.NEGATIVE_INFINITY };

  function fail(error: unknown): void {
    const detail = describe(error);
    if (status.state === 'stopped') return;
    if (isTokenError(error)) {
      status = { state: 'refused', detail };
      logger.error({ setting, detail }, `Telegram refuses the token in ${setting}: this bot stays off`);
      return;
    }
    status = { state: 'failing', detail };
    const kind = isConflict(error) ? 'conflict' : 'outage';
    if (clock.now() - toldAt[kind] < TELL_AGAIN_MS) return;
    toldAt[kind] = clock.now();
    isTold = true;
    if (kind === 'outage')
      logger.warn({ setting, detail }, 'the Telegram bot does not run; it is tried again');
    else
      logger.error(
        { setting, detail },
        `another program takes the updates of the token in ${setting}; it is tried again until that one stops`,
      );
  }

  function succeed(): void {
    if (status.state === 'stopped') return;
    if (isTold) logger.info({ setting }, 'the Telegram bot runs again');
    isTold = false;
    status = { state: 'running', detail: null };
  }

  return {
    async through(call, signal) {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
        try {
          const answer = await call();
          succeed();
          return answer;
        } catch (error) {
          if (signal.aborted) throw error;
          fail(error);
          if (isTokenError(error)) throw error;
          await clock.sleep(Math.max(pauseMs, waitWanted(error)), signal);
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

function waitWanted(error: unknown): number {
  const { parameters } = error as { readonly parameters?: { readonly retry_after?: number } };
  return (parameters?.retry_after ?? 0) * 1_000;
}
