import type { ApiKey, KeyStore } from '../src/core/accounts/keys/api-key.ts';
import { DAY_MS, type EpochMs } from '../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../src/core/chat/chat-queue.ts';
import { countOf, everyMinutes, type Job } from './schedule.ts';

const PAGE = 100;
/** Ends before that are not announced any more. The outbox keeps its messages, and so what it was given, for longer. */
const ANNOUNCED_FOR_MS = 14 * DAY_MS;

/**
 * Announces the ends of trials to the owners of the keys, once. Nothing else is written: a key counts as Free from the end of its
 * trial on.
 */
export function trialEnds(store: Pick<KeyStore, 'endedTrials'>, outbox: ChatOutbox): Job {
  /** Up to here the outbox has the messages. */
  let announcedUntil: EpochMs = Number.NEGATIVE_INFINITY;
  return {
    name: 'trial-ends',
    schedule: everyMinutes(1),
    needsSettledTime: true,
    async run({ now, signal }) {
      const from = Math.max(announcedUntil, now - ANNOUNCED_FOR_MS);
      let announced = 0;
      let after: ApiKey | undefined;
      for (;;) {
        const keys = await store.endedTrials({ from, until: now, limit: PAGE, after });
        const messages = new Map(
          keys.flatMap((key) => endOf(key, now)).map((message) => [message.id, message]),
        );
        if (messages.size > 0) announced += (await outbox.add([...messages.values()])).length;
        if (keys.length < PAGE) break;
        after = keys.at(-1);
        signal.throwIfAborted();
      }
      announcedUntil = now;
      return `${countOf(announced, 'customer')} notified that the trial has ended`;
    },
  };
}

/** None for a key without an owner in chat. */
function endOf({ customerId, trialEndsAt }: ApiKey, now: EpochMs): readonly NewChatMessage[] {
  if (customerId === null || trialEndsAt === null) return [];
  return [
    {
      id: `trial_ended:${customerId}:${trialEndsAt}`,
      recipient: `customer:${customerId}`,
      kind: 'trial_ended',
      facts: { endsAt: trialEndsAt },
      createdAt: now,
      dueAt: now,
    },
  ];
}
