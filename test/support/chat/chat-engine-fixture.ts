import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { PublicMessage } from '../../../bots/shared/create-leak-guard.ts';
import type { CustomerRecord, Platform } from '../../../src/core/accounts/customers/customer.ts';
import { ChatEngine, type ChatEngineOptions } from '../../../src/core/chat/chat-engine.ts';
import type { ChatMessage, NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import type { PersonalChoice, PersonalVerdict } from '../../../src/core/chat/personal-choice.ts';
import type { Messengers } from '../../../src/core/chat/send-step.ts';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { createFakeClock } from '../clock.ts';
import { customerOf } from '../customer-fixture.ts';
import { eachCall } from '../each-call.ts';
import { START } from '../rows.ts';
import { silentLogger } from '../silent-logger.ts';
import { type Answer, scriptedMessenger } from './scripted-messenger.ts';

type Handle = Pick<CustomerRecord, 'platform' | 'userId' | 'name' | 'chat' | 'isReachable'>;

/** A person on a platform, reachable by default. */
export function handleOn(platform: Platform, userId: string, isReachable = true): Handle {
  return { platform, userId, name: null, chat: `chat ${userId}`, isReachable };
}

export function fakeCustomers(given: Readonly<Record<string, Handle>> = {}, banned: readonly string[] = []) {
  const customers = new Map<string, CustomerRecord>();
  for (const [id, handle] of Object.entries(given)) {
    const bannedAt = banned.includes(id) ? START : null;
    customers.set(id, customerOf(id, { ...handle, bannedAt }));
  }
  return {
    byId: async (id: string) => customers.get(id) ?? null,
    byIds: async (ids: readonly string[]) => ids.flatMap((id) => customers.get(id) ?? []),
    async markUnreachable(platform: string, userId: string) {
      for (const [id, customer] of customers)
        if (customer.platform === platform && customer.userId === userId)
          customers.set(id, { ...customer, isReachable: false });
    },
    async page({ after = '', limit }: { after?: string; limit: number }) {
      const all = [...customers.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return all.filter(({ id }) => id > after).slice(0, limit);
    },
  };
}

/** Decides as it is told; by default everything is sent, to the chat `chat cus_…`. */
export function choiceOf(
  verdictOn: (message: ChatMessage) => PersonalVerdict | undefined = () => undefined,
): PersonalChoice {
  return {
    judge: async (recipient, messages) =>
      messages.map((message) => {
        const userId = recipient.slice('customer:'.length);
        const to = { platform: 'telegram', userId, chat: `chat ${userId}` } as const;
        return verdictOn(message) ?? { act: 'send', message, to };
      }),
  };
}

/** What an engine on this database is given beside messengers, customers, a clock and what it shows. */
function engineParts({ keys }: Database, store: ChatStore) {
  return {
    ...{ store, keys, postsPerDay: 1_000, logger: silentLogger, owner: 'engine' },
    ...{ isPaused: () => false, random: () => 1, yieldToLoop: setImmediate },
  };
}

/** Engines over a database; without one, over SQLite in memory. A message shows its own id. */
export async function openChatEngineFixture(given?: Database) {
  const database = given ?? (await openDatabase('sqlite::memory:'));
  if (given === undefined) onTestFinished(() => database.close());
  const clock = createFakeClock(START);
  let engines = 0;
  let calls = 0;
  const store = eachCall(database.chat, async (call) => {
    calls += 1;
    try {
      return await call();
    } finally {
      calls -= 1;
    }
  });
  /** The clock is not ahead of a database that answers slowly. */
  const settleCalls = async () => {
    do await settle();
    while (calls > 0);
  };

  return {
    database,
    store,
    clock,
    /** A started engine; `closes: false` is for one that is to die. */
    engine(
      messengers: Messengers<string>,
      { closes = true, ...change }: Partial<ChatEngineOptions<string>> & { closes?: boolean } = {},
    ) {
      engines += 1;
      const engine = new ChatEngine<string>({
        ...engineParts(database, store),
        ...{ messengers, customers: fakeCustomers(), clock, owner: `engine ${engines}` },
        present: async ({ id }) => id,
        ...change,
      });
      engine.start();
      if (closes) onTestFinished(() => engine.close());
      return engine;
    },
    /** Lets time pass in steps, of a second by default, and runs every sleeper that is due. */
    async pass(ms: number, stepMs = 1_000) {
      for (let passed = 0; passed < ms; passed += stepMs) {
        await settleCalls();
        await clock.advance(Math.min(stepMs, ms - passed));
      }
      await settleCalls();
    },
    async stateOf(id: string) {
      return (await database.chat.byId(id))?.state ?? null;
    },
  };
}

type Sending = Partial<ChatEngineOptions<string>> & {
  /** Of Telegram, which takes everything without it. */
  readonly answer?: Answer | undefined;
  /** Of Discord, which has no bot without it. */
  readonly discord?: Answer;
  readonly closes?: boolean;
};

/** A platform that takes everything. */
export const TAKES: Answer = () => undefined;

export async function openSending(
  messages: readonly NewChatMessage[],
  { answer, discord, ...options }: Sending = {},
) {
  const fixture = await openChatEngineFixture();
  const [telegram, other] = [scriptedMessenger(answer), scriptedMessenger(discord)];
  await fixture.store.add(messages);
  const own = fixture.engine(
    { telegram: telegram.messenger, ...(discord && { discord: other.messenger }) },
    options,
  );
  return { ...fixture, own, calls: telegram.calls, onDiscord: other.calls };
}

/** Runs everything that does not wait for time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await setImmediate();
}

/** A leak guard that records what it is given, and deletes what contains a key. */
export function recordingGuard() {
  const seen: string[] = [];
  return {
    seen,
    async inspect({ text, place, remove }: PublicMessage) {
      const isLeak = text.includes('sk_live_');
      seen.push(isLeak ? `${place}: ${(await remove()) ? 'deleted' : 'still there'}` : `${place}: ${text}`);
      return isLeak;
    },
  };
}
