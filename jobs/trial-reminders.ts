import type { Customer } from '../src/core/accounts/customers/customer.ts';
import type { CustomerService } from '../src/core/accounts/customers/customer-service.ts';
import { effectiveTier } from '../src/core/accounts/keys/api-key.ts';
import { DAY_MS, type EpochMs } from '../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../src/core/chat/chat-queue.ts';
import { countOf, everyMinutes, type Job } from './schedule.ts';

/** Days before the end at which a customer is reminded, nearest first. */
const REMINDERS = [1, 3] as const;
const PAGE = 200;

/**
 * Sends reminders 3 days and 1 day before the end of a trial; on the last day only the second one. Customers without a key
 * in the trial (revoked, or Enterprise) get none.
 */
export function trialReminders(
  customers: Pick<CustomerService, 'trialsEnding' | 'keysOf'>,
  outbox: ChatOutbox,
): Job {
  async function hasKeyInTrial(customerId: string, now: EpochMs): Promise<boolean> {
    const keys = await customers.keysOf(customerId);
    return keys.some((key) => key.trialEndsAt !== null && effectiveTier(key, now) === 'pro');
  }

  return {
    name: 'trial-reminders',
    schedule: everyMinutes(15),
    // A reminder that came too early would not come again.
    needsSettledTime: true,
    async run({ now, signal }) {
      const window = { from: now, until: now + Math.max(...REMINDERS) * DAY_MS, limit: PAGE };
      let reminded = 0;
      let after: string | undefined;
      for (;;) {
        const page = await customers.trialsEnding({ ...window, ...(after !== undefined && { after }) });
        const due: NewChatMessage[] = [];
        for (const customer of page) {
          const reminder = reminderOf(customer, now);
          if (reminder.length > 0 && (await hasKeyInTrial(customer.id, now))) due.push(...reminder);
        }
        if (due.length > 0) reminded += (await outbox.add(due)).length;
        after = page.at(-1)?.id;
        if (page.length < PAGE) return `${countOf(reminded, 'customer')} reminded`;
        signal.throwIfAborted();
      }
    },
  };
}

function reminderOf({ id, trial, bannedAt }: Customer, now: EpochMs): readonly NewChatMessage[] {
  if (trial === null || bannedAt !== null) return [];
  const { endsAt } = trial;
  const days = REMINDERS.find((before) => endsAt - now <= before * DAY_MS);
  if (days === undefined) return [];
  return [
    {
      id: `trial_reminder:${id}:${days}:${endsAt}`,
      recipient: `customer:${id}`,
      kind: 'trial_reminder',
      facts: { endsAt },
      createdAt: now,
      dueAt: now,
    },
  ];
}
