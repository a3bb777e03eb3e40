import type { Alert } from '../../src/core/alerts/alert.ts';
import { Feed } from '../../src/core/alerts/ledger/feed.ts';
import type { LastingFilter } from '../../src/core/alerts/passes-filter.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { Database } from '../../src/core/database.ts';
import { PersonalAlerts } from '../../src/core/follow/personal-alerts.ts';
import { CATEGORIES } from '../../src/core/trades/trade.ts';
import { alertOf } from './alerts.ts';
import type { TelegramStandIn } from './chat/telegram-stand-in.ts';
import { FREE_DELAY_MS, type GivenPerson, putPerson } from './open-personal.ts';
import { START } from './rows.ts';
import { silentLogger } from './silent-logger.ts';

/** Each alert is about one of the topics, and matches a rule of the people who follow it. */
interface Crowd {
  readonly people: number;
  /** How many people an alert matches. */
  readonly matching: number;
}

/** Three different rules for each of many people, half of them with real time. Of each one rule matches the alerts of its topic. */
export async function putCrowd(
  database: Database,
  { people, matching }: Crowd,
  given: GivenPerson = {},
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
    await putPerson(database, `cus_${person}`, { follow, tier, ...given });
  }
}

/** Everybody of a crowd has written to the bot of the stand-in, each from a chat of their own: `firstChat` and the numbers after it. */
export async function meetCrowd(
  { customers }: Pick<Database, 'customers'>,
  telegram: Pick<TelegramStandIn, 'meet'>,
  { people, firstChat }: { readonly people: number; readonly firstChat: number },
): Promise<void> {
  for (let person = 0; person < people; person += 1) {
    const chat = String(firstChat + person);
    await customers.touch(
      { platform: 'telegram', userId: chat, name: null, chat },
      { id: `cus_${person}`, createdAt: START },
    );
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

/** Milliseconds of processor time of this process for an alert, from its announcement to its messages in the outbox; `writeMs`: of these the writes; `added`: how many messages. */
export async function matchingCost(
  database: Database,
  alerts: readonly Alert[],
  clock: Clock,
): Promise<{ readonly cpuMs: number; readonly writeMs: number; readonly added: number }> {
  const feed = new Feed({ alerts: database.alerts, logger: silentLogger, retry: () => clock.sleep(1_000) });
  let added = 0;
  let writeMs = 0;
  let handled = Promise.withResolvers<void>();
  const store: Database['chat'] = {
    ...database.chat,
    async add(messages) {
      const before = process.cpuUsage();
      const ids = await database.chat.add(messages);
      writeMs += cpuMsSince(before);
      added += ids.length;
      return ids;
    },
    async advance(cursor, position) {
      await database.chat.advance(cursor, position);
      handled.resolve();
    },
  };
  const personal = new PersonalAlerts({
    ...{ ...database, store, feed, clock, logger: silentLogger },
    ...{ freeDelayMs: FREE_DELAY_MS, wake: () => {} },
  });
  const position = (alerts[0]?.id ?? 1) - 1;
  await database.chat.advance('personal_alerts', position);
  await personal.start(position);
  let cpuMs = 0;
  for (const alert of alerts) {
    handled = Promise.withResolvers();
    // A feed that is busy reads it from there.
    await database.alerts.append(alert);
    const before = process.cpuUsage();
    feed.announce(alert);
    await handled.promise;
    cpuMs += cpuMsSince(before);
  }
  await personal.close();
  return { cpuMs: cpuMs / alerts.length, writeMs: writeMs / alerts.length, added: added / alerts.length };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
