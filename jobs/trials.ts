import type { Customer } from '../src/core/accounts/customers/customer.ts';
import { type ApiKey, effectiveTier } from '../src/core/accounts/keys/api-key.ts';
import type { Tier } from '../src/core/accounts/tier.ts';
import { counted } from '../src/core/base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../src/core/base/time/duration.ts';
import type { ChatFacts, NewChatMessage } from '../src/core/chat/chat-message.ts';
import { bestTier, FOLLOW_LIMITS, pausedByTier } from '../src/core/follow/active-follows.ts';
import { followName } from '../src/core/follow/follow-words.ts';
import type { Follower } from '../src/core/follow/follower.ts';
import type { Job, JobDeps } from './schedule.ts';

const ENDS_PAGE = 100;
/** Ends before that are not announced any more. The outbox keeps its messages, and so what it was given, for longer. */
const ANNOUNCED_FOR_MS = 14 * DAY_MS;

/** Announces ended trials to owners, once. Nothing is written: the key counts as Free from then on. */
export function announceTrialEnds({ database }: Pick<JobDeps, 'database'>): Job['run'] {
  const { keys, chat } = database;
  let announcedUntil: EpochMs = Number.NEGATIVE_INFINITY;
  return async ({ now, signal }) => {
    const from = Math.max(announcedUntil, now - ANNOUNCED_FOR_MS);
    let announced = 0;
    let after: ApiKey | undefined;
    for (;;) {
      const ended = await keys.endedTrials({ from, until: now, limit: ENDS_PAGE, after });
      const messages = await endsOf(database, ended, now);
      if (messages.length > 0) announced += (await chat.add(messages)).length;
      if (ended.length < ENDS_PAGE) break;
      after = ended.at(-1);
      signal.throwIfAborted();
    }
    announcedUntil = now;
    return `${counted(announced, 'customer')} notified that the trial has ended`;
  };
}

/** One message a customer and end. */
async function endsOf(
  { keys, followers }: JobDeps['database'],
  ended: readonly ApiKey[],
  now: EpochMs,
): Promise<readonly NewChatMessage[]> {
  const customerIds = [...new Set(ended.flatMap(({ customerId }) => customerId ?? []))];
  const held = await keys.byCustomers(customerIds);
  const paused = new Map(
    (await followers.byIds(customerIds)).map((follower) => {
      const own = held.filter(({ customerId }) => customerId === follower.customerId);
      return [follower.customerId, pausedFacts(follower, bestTier(own, now))];
    }),
  );
  const messages = new Map<string, NewChatMessage>();
  for (const { customerId, trialEndsAt: endsAt } of ended) {
    if (customerId === null || endsAt === null) continue;
    const facts = { endsAt, ...paused.get(customerId) };
    const id = `trial_ended:${customerId}:${endsAt}`;
    const recipient = `customer:${customerId}` as const;
    messages.set(id, { id, recipient, kind: 'trial_ended', facts, createdAt: now, dueAt: now });
  }
  return [...messages.values()];
}

function pausedFacts(follower: Follower, tier: Tier): Omit<ChatFacts['trial_ended'], 'endsAt'> {
  const paused = pausedByTier(follower, tier).map(followName);
  const limit = FOLLOW_LIMITS[tier];
  return paused.length === 0 ? {} : { follows: { count: limit + paused.length, limit, paused } };
}

const REMINDERS = [1, 3] as const;
const REMINDERS_PAGE = 200;

/** Reminds 3 days and 1 day before the end of a trial, of customers with a key in it. */
export function remindOfTrials({
  customers,
  database: { chat },
}: Pick<JobDeps, 'customers' | 'database'>): Job['run'] {
  async function hasKeyInTrial(customerId: string, now: EpochMs): Promise<boolean> {
    const keys = await customers.keysOf(customerId);
    return keys.some((key) => key.trialEndsAt !== null && effectiveTier(key, now) === 'pro');
  }

  return async ({ now, signal }) => {
    const window = { from: now, until: now + Math.max(...REMINDERS) * DAY_MS, limit: REMINDERS_PAGE };
    let reminded = 0;
    let after: Customer | undefined;
    for (;;) {
      const page = await customers.trialsEnding({ ...window, after });
      const due: NewChatMessage[] = [];
      for (const customer of page) {
        const reminder = reminderOf(customer, now);
        if (reminder !== null && (await hasKeyInTrial(customer.id, now))) due.push(reminder);
      }
      if (due.length > 0) reminded += (await chat.add(due)).length;
      after = page.at(-1);
      if (page.length < REMINDERS_PAGE) return `${counted(reminded, 'customer')} reminded`;
      signal.throwIfAborted();
    }
  };
}

function reminderOf({ id: customerId, trial, bannedAt }: Customer, now: EpochMs): NewChatMessage | null {
  if (trial === null || bannedAt !== null) return null;
  const { endsAt } = trial;
  const days = REMINDERS.find((before) => endsAt - now <= before * DAY_MS);
  if (days === undefined) return null;
  const id = `trial_reminder:${customerId}:${days}:${endsAt}`;
  const recipient = `customer:${customerId}` as const;
  return { id, recipient, kind: 'trial_reminder', facts: { endsAt }, createdAt: now, dueAt: now };
}
