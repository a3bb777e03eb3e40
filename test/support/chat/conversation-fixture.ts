import type { Community } from '../../../bots/shared/chat-bot.ts';
import { createConversation } from '../../../bots/shared/conversation/create-conversation.ts';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import type { Customer, Platform, Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import { Figures } from '../../../src/core/alerts/figures/figures.ts';
import type { Logger } from '../../../src/core/base/logger.ts';
import { FollowService } from '../../../src/core/follow/follow-service.ts';
import { CoverageReport } from '../../../src/core/trades/coverage/coverage-report.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { alertOf } from '../alerts.ts';
import { createFakeClock } from '../clock.ts';
import { openCustomerFixture } from '../customer-fixture.ts';
import { START } from '../rows.ts';
import { silentLogger } from '../silent-logger.ts';
import { storeAlerts } from '../stored.ts';

export type ConversationFixture = Awaited<ReturnType<typeof openConversationFixture>>;

export const PUBLIC_URL = 'https://api.example.com';
const MINUTE_MS = 60_000;
/** The stores of customers that fail on request. */
const FAILING = [
  ...(['customers', 'keys', 'presets', 'webhooks', 'chat'] as const),
  ...(['questions', 'keyMessages'] as const),
];

export async function openConversationFixture(freeDelayMs = 5 * MINUTE_MS) {
  const database = await openDatabase('sqlite::memory:');
  const clock = createFakeClock(START);
  const faults = createFaults();
  const errors: { fields: object; message: string }[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (fields, message) => {
      errors.push({ fields, message });
    },
  };
  const failing = Object.fromEntries(FAILING.map((name) => [name, faults.around<object>(database[name])]));
  const { service: customers } = openCustomerFixture(database, {}, clock);
  const { service: failingCustomers } = openCustomerFixture({ ...database, ...failing }, {}, clock);
  const follows = new FollowService({
    followers: faults.around(database.followers),
    customers: failingCustomers,
    keys: faults.around(database.keys),
    clock,
  });
  const requests: string[] = [];
  let last: Visitor | null = null;
  let lastSecret = '';

  async function customer(): Promise<Customer> {
    if (last === null) throw new Error('no customer has moved yet');
    return customers.visit(last);
  }

  return {
    database,
    clock,
    faults,
    /** Without faults, for the test itself. */
    customers,
    follows,
    errors,
    makeConversation(platform: Platform, community?: Community): Conversation {
      const { around } = faults;
      const conversation = createConversation({
        customers: failingCustomers,
        communities: community === undefined ? {} : { [platform]: community },
        questions: around(database.questions),
        removeKeyMessages: async ({ chat }) => (await around(database.keyMessages).inChats([chat])).length,
        follows,
        usage: around(database.usage),
        alerts: around(database.alerts),
        exits: new ExitReader({ ...database, exits: around(database.exits) }),
        figures: new Figures({ alerts: around(database.alerts), clock }),
        hiddenWallets: around(database.hiddenWallets),
        records: around(database.records),
        feed: {
          isLive: true,
          report: new CoverageReport({ store: around(database.coverage), clock }),
        },
        random: {
          base64url(bytes) {
            const text = secureRandom.base64url(bytes);
            requests.push(text);
            return text;
          },
        },
        clock,
        logger,
        publicUrl: PUBLIC_URL,
        siteUrl: PUBLIC_URL,
        contact: 'mailto:ann@example.com',
        freeDelayMs,
      });
      return {
        ...conversation,
        async move(visitor, move) {
          last = visitor;
          const screen = await conversation.move(visitor, move);
          lastSecret = screen.secret?.text ?? lastSecret;
          return screen;
        },
      };
    },
    customer,
    keys: async () => customers.keysOf((await customer()).id),
    /** The request that the buttons of the newest screens name. */
    lastRequest: () => requests.at(-1) ?? '',
    /** The key that was shown last. */
    lastSecret: () => lastSecret,
    /** Alerts of markets of their own: of ten minutes ago, of a minute ago, and all others of now. */
    async addAlerts(count = 3) {
      for (let id = 1; id <= count; id += 1) {
        const createdAt = clock.now() - ([10 * MINUTE_MS, MINUTE_MS][id - 1] ?? 0);
        const eventTitle = `Will measure ${id} pass?`;
        await storeAlerts(database, alertOf({ id, createdAt, marketId: `0xm${id}`, eventTitle }));
      }
    },
    close: () => database.close(),
  };
}

function createFaults() {
  let calls = 0;
  let plan: (call: number) => 'before' | 'after' | null = () => null;

  function guarded(method: (...args: unknown[]) => unknown): (...args: unknown[]) => Promise<unknown> {
    return async (...args) => {
      calls += 1;
      const fault = plan(calls);
      if (fault === 'before') throw new Error('the store did not answer');
      const answer = await method(...args);
      if (fault === 'after') throw new Error('the answer of the store was lost');
      return answer;
    };
  }

  const set = (next: typeof plan) => {
    calls = 0;
    plan = next;
  };
  return {
    around: <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? guarded(value.bind(target)) : value;
        },
      }),
    breakAll: () => set(() => 'before'),
    /** The nth call from now fails: before it does anything, or when it has been done and only the answer is lost. */
    breakCall: (nth: number, when: 'before' | 'after') => set((call) => (call === nth ? when : null)),
    recover: () => set(() => null),
    get calls() {
      return calls;
    },
  };
}
