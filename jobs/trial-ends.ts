import type { NewChatMessage } from '../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../src/core/chat/chat-queue.ts';
import type { CustomerService } from '../src/core/customers/customer-service.ts';
import type { ApiKey } from '../src/core/keys/api-key.ts';
import type { EpochMs } from '../src/core/trade.ts';
import { countOf, everyMinutes, type Job } from './schedule.ts';

const PAGE = 100;

/**
 * Stores keys as Free whose trial has ended, and sends messages to their owners. A key counts as Free from the end of its
 * trial, without this job. The message comes first: after a crash in between the key is found again.
 */
export function trialEnds(
  customers: Pick<CustomerService, 'endedTrials' | 'settleTrial'>,
  outbox: ChatOutbox,
): Job {
  return {
    name: 'trial-ends',
    schedule: everyMinutes(1),
    async run({ now, signal }) {
      let settled = 0;
      for (;;) {
        const keys = await customers.endedTrials(PAGE);
        const messages = new Map(
          keys.flatMap((key) => endOf(key, now)).map((message) => [message.id, message]),
        );
        if (messages.size > 0) await outbox.add([...messages.values()]);
        for (const key of keys) await customers.settleTrial(key);
        settled += keys.length;
        if (keys.length < PAGE) return `${countOf(settled, 'key')} written as free`;
        signal.throwIfAborted();
      }
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
