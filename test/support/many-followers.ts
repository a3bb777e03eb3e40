import type { Alert } from '../../src/core/alerts/alert.ts';
import type { LastingFilter } from '../../src/core/alerts/passes-filter.ts';
import type { Database } from '../../src/core/database.ts';
import { CATEGORIES } from '../../src/core/trades/trade.ts';
import { alertOf } from './alerts.ts';
import type { TelegramStandIn } from './chat/telegram-stand-in.ts';
import { putPerson } from './open-personal.ts';

/** Each alert is about one of the topics, and matches a rule of the people who follow it. */
interface Crowd {
  readonly people: number;
  /** How many people an alert matches. */
  readonly matching: number;
}

/**
 * Three different rules for each of many people, half of them with real time. Of each one rule matches the alerts of its topic.
 * All have written to the bot of the stand-in, from the chat `firstChat` and those after it.
 */
export async function putCrowd(
  database: Database,
  telegram: Pick<TelegramStandIn, 'meet'>,
  { people, matching, firstChat }: Crowd & { readonly firstChat: number },
): Promise<void> {
  for (let person = 0; person < people; person += 1) {
    const topic = person % (people / matching);
    const category = CATEGORIES[person % CATEGORIES.length] ?? 'other';
    const filters: readonly LastingFilter[] = [
      { search: topicName(topic), minScore: 10 + (person % 50) },
      { category, minScore: 90 + (person % 10), minPosition: person },
      { type: 'cluster', side: 'SELL', minPosition: person * 10 },
    ];
    const follow = filters.map((filter) => ({ kind: 'filter', filter }) as const);
    const tier = person % 2 === 0 ? 'pro' : 'free';
    const chat = String(firstChat + person);
    await putPerson(database, `cus_${person}`, {
      follow,
      tier,
      platform: 'telegram',
      createdAt: Date.now(),
      customer: { userId: chat, chat },
    });
    telegram.meet(chat);
  }
}

/** Alert `id` of a crowd, made now. */
export function alertForCrowd(id: number, { people, matching }: Crowd, now: number): Alert {
  const eventTitle = `Will ${topicName(id % (people / matching))} happen before the end of the year?`;
  return alertOf({ id, score: 72, eventTitle, tradedAt: now, createdAt: now });
}

function topicName(topic: number): string {
  return `topic ${String(topic).padStart(5, '0')}`;
}
