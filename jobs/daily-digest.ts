import type { NewChatMessage } from '../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../src/core/chat/chat-outbox.ts';
import { countOf, type Job } from './job.ts';
import { dailyAt } from './schedule.ts';

export interface DailyDigestJobDeps {
  /** The digest of a UTC day, `YYYY-MM-DD`, for each channel: the same ids each time. */
  readonly digestMessages: (day: string) => Promise<readonly NewChatMessage[]>;
  readonly outbox: ChatOutbox;
}

/** Yesterday, for the channels. Days that passed while nothing ran are not made up, but for the last of them. */
export function dailyDigest({ digestMessages, outbox }: DailyDigestJobDeps): Job {
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
