import { createConcurrentSink, createRunner, createSource } from '@grammyjs/runner';
import type { Update } from 'grammy/types';
import type { OutageTracker } from './outage-tracker.ts';
import type { TelegramLink } from './telegram-link.ts';

export interface PollingOptions {
  readonly link: TelegramLink;
  readonly outageTracker: OutageTracker;
  /** Never throws. */
  readonly take: (update: Update) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Kinds of updates that the bot asks for. */
export const UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
] as const;

const CONCURRENCY = 200;

type ApiSignal = Parameters<TelegramLink['api']['getUpdates']>[1];

/**
 * Polls for updates until the signal aborts, and handles several at the same time. Does not wait for the running ones at
 * the end: with all places taken the runner would wait without a limit.
 */
export async function poll({ link, outageTracker, take, signal }: PollingOptions): Promise<void> {
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
