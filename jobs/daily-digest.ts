import type { NewChatMessage } from '../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../src/core/chat/chat-queue.ts';
import { countOf, dailyAt, type Job } from './schedule.ts';

/**
 * The digest of the previous day for the channels. Of several missed days only the last one is posted. `digestMessages`: the
 * digest of a UTC day, `YYYY-MM-DD`, for each channel, with deterministic ids.
 */
export function dailyDigest(
  digestMessages: (day: string) => Promise<readonly NewChatMessage[]>,
  outbox: ChatOutbox,
): Job {
  return {
    name: 'daily-digest',
    schedule: dailyAt('00:05'),
    async run({ period }) {
      const messages = await digestMessages(period);
      const added = messages.length === 0 ? [] : await outbox.add(messages);
      return `${countOf(added.length, 'post')} of ${period} put in the outbox`;
    },
  };
}
