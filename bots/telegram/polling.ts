import { createConcurrentSink, createRunner, createSource } from '@grammyjs/runner';
import type { Update } from 'grammy/types';
import { untilAborted } from '../../src/core/async/until-aborted.ts';
import type { TelegramLink } from './link.ts';
import type { OutageTracker } from './outage-tracker.ts';

export interface PollingDeps {
  readonly link: TelegramLink;
  readonly outageTracker: OutageTracker;
  /** Never throws. */
  readonly take: (update: Update) => Promise<void>;
  readonly signal: AbortSignal;
}

/** What the bot wants to know of. */
export const UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
] as const;

const AT_ONCE = 200;

type ApiSignal = Parameters<TelegramLink['api']['getUpdates']>[1];

/**
 * Asks for updates until the signal aborts. Several are handled at once; those in hand at the
 * end are not waited for, as with no place left for more the runner would wait for them without a limit.
 */
export async function poll({ link, outageTracker, take, signal }: PollingDeps): Promise<void> {
  let offset = 0;
  const source = createSource<Update>({
    async supply(room) {
      const limit = Math.max(1, Math.min(room, 100));
      const ask = async () => {
        const answer = await link.api.getUpdates(
          { offset, limit, timeout: link.times.pollSeconds, allowed_updates: UPDATES },
          signal as ApiSignal,
        );
        // Something on the way may have answered in the place of Telegram.
        if (!Array.isArray(answer)) throw new Error('getUpdates: the answer is no list');
        return answer;
      };
      const updates = await outageTracker.retry(ask, signal);
      offset = Math.max(offset, ...updates.map(({ update_id }) => update_id + 1));
      return updates;
    },
  });
  const sink = createConcurrentSink<Update>({ consume: take }, async () => {}, { concurrency: AT_ONCE });
  const runner = createRunner(source, sink);
  runner.start();
  const stop = () => void runner.stop()?.catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([runner.task(), untilAborted(signal)]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
