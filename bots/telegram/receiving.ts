import { createHmac } from 'node:crypto';
import { createConcurrentSink, createRunner, createSource } from '@grammyjs/runner';
import type { Update } from 'grammy/types';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { LOOK_MS, type OutageTracker, UndeliveredError } from './outage-tracker.ts';
import type { ApiSignal, TelegramLink } from './telegram-link.ts';
import type { WebhookListener } from './webhook.ts';

/** How updates of one token get to its bot. */
interface Intake {
  readonly link: TelegramLink;
  readonly outageTracker: OutageTracker;
  /** Never throws. */
  readonly take: (update: Update) => Promise<void>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Kinds of updates that the bot asks for. */
const UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
] as const;
/** The most that Telegram takes (core.telegram.org/bots/api#setwebhook). */
const CONNECTIONS = 100;
/** More than the bot keeps (`UpdateQueue`): also while answers wait, updates are taken and taps acknowledged. */
const CONCURRENCY = 6_000;

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

/**
 * Polls for updates until the signal aborts, and handles several at the same time. Does not wait for the running ones at
 * the end: with all places taken the runner would wait without a limit.
 */
export async function poll({ link, outageTracker, take, signal }: Intake): Promise<void> {
  let offset = 0;
  const source = createSource<Update>({
    async supply(room) {
      const limit = Math.max(1, Math.min(room, 100));
      const ask = async () => {
        const answer = await link.api.getUpdates(
          { offset, limit, timeout: link.times.pollSeconds, allowed_updates: UPDATES },
          signal as ApiSignal,
        );
        // A proxy may have answered instead of Telegram.
        if (!Array.isArray(answer)) throw new Error('getUpdates: the answer is no list');
        return answer;
      };
      const updates = await outageTracker.retry(ask, signal);
      offset = Math.max(offset, ...updates.map(({ update_id }) => update_id + 1));
      return updates;
    },
  });
  const sink = createConcurrentSink<Update>({ consume: take }, async () => {}, { concurrency: CONCURRENCY });
  const runner = createRunner(source, sink);
  const ended = Promise.withResolvers<void>();
  const stop = () => {
    ended.resolve();
    void runner.stop()?.catch(() => {});
  };
  runner.start();
  runner.task()?.then(ended.resolve, ended.reject);
  signal.addEventListener('abort', stop, { once: true });
  await ended.promise.finally(() => signal.removeEventListener('abort', stop));
}
