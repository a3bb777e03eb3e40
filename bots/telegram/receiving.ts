import { createHmac } from 'node:crypto';
import type { Update } from 'grammy/types';
import { backoffMs, retry, withoutJitter } from '../../src/core/base/async/retry.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { type ConnectionStatus, refusedWaitMs } from '../shared/chat-bot.ts';
import { isConflict, isTokenError, requestedWaitMs, telegramReason } from './failures.ts';
import type { ApiSignal, TelegramLink } from './telegram-link.ts';
import type { WebhookListener } from './webhook.ts';

interface Intake {
  readonly link: TelegramLink;
  readonly outageTracker: OutageTracker;
  readonly take: (update: Update) => Promise<void>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
] as const;
/** The most that Telegram takes (core.telegram.org/bots/api#setwebhook). */
const CONNECTIONS = 100;

/** Receives updates at a webhook until the signal aborts. `url`: the public address of the listener. */
export async function receive(
  { link, outageTracker, take, signal, clock }: Intake,
  { url, listener }: { readonly url: string; readonly listener: WebhookListener },
): Promise<void> {
  const path = `/telegram/${link.token.split(':')[0]}`;
  const secret = createHmac('sha256', link.token).update('tipoff webhook').digest('hex');
  const setting = { secret_token: secret, allowed_updates: UPDATES, max_connections: CONNECTIONS };
  const set = () => link.api.setWebhook(url + path, setting, signal as ApiSignal);
  /** Earlier errors are over: an update arrived, or the webhook was registered. */
  let deliveredAt: EpochMs = 0;
  const noted = (update: Update) => {
    deliveredAt = clock.now();
    return take(update);
  };
  /** Telegram keeps the last error after later deliveries (core.telegram.org/bots/api#webhookinfo). */
  const look = async () => {
    const info = await link.api.getWebhookInfo(signal as ApiSignal);
    // Another program removed it, for example to poll.
    if (info.url === '') await set();
    const { pending_update_count: waiting, last_error_date: failedAt = 0 } = info;
    if (waiting === 0 || failedAt * SECOND_MS <= deliveredAt) return;
    const reason = info.last_error_message ?? 'no reason given';
    throw new UndeliveredError(`updates that wait at Telegram: ${waiting}; ${reason}`);
  };
  try {
    await outageTracker.retry(() => listener.add(path, { secret, take: noted }), signal);
    await outageTracker.retry(set, signal);
    deliveredAt = clock.now();
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal);
      if (!signal.aborted) await outageTracker.retry(look, signal);
    }
  } finally {
    await listener.remove(path);
  }
}

/** Polls for updates until the signal aborts. The next poll, which confirms them, does not wait until they are handled. */
export async function poll({ link, outageTracker, take, signal }: Intake): Promise<void> {
  let offset = 0;
  const ask = async () => {
    const timeout = link.times.pollSeconds;
    const query = { offset, limit: 100, timeout, allowed_updates: UPDATES };
    const answer = await link.api.getUpdates(query, signal as ApiSignal);
    // A proxy may have answered instead of Telegram.
    if (!Array.isArray(answer)) throw new Error('getUpdates: the answer is not a list');
    return answer;
  };
  while (!signal.aborted) {
    for (const update of await outageTracker.retry(ask, signal)) {
      offset = Math.max(offset, update.update_id + 1);
      void take(update);
    }
  }
}

interface OutageTrackerOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly setting: string;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: 30 * SECOND_MS };
/** An outage of the same kind is logged at most this often. */
const LOG_INTERVAL_MS = 10 * MINUTE_MS;
/** A webhook is quiet also when Telegram refuses the token or does not reach it: Telegram is asked. */
const LOOK_MS = MINUTE_MS;

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

  /** Calls until it succeeds: backoff 1 s to 30 s, a minute after a refused token. Rejects on abort. */
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

class UndeliveredError extends Error {}

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
