import { onTestFinished } from 'vitest';
import { type CustomerRecord, PLATFORMS } from '../../src/core/accounts/customers/customer.ts';
import { type ApiKey, PLAIN_KEY } from '../../src/core/accounts/keys/api-key.ts';
import type { Tier } from '../../src/core/accounts/tier.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import { Feed } from '../../src/core/alerts/ledger/feed.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { ChatMessage } from '../../src/core/chat/chat-message.ts';
import type { Database } from '../../src/core/database.ts';
import type { Follow, Follower, FollowSubject, MuteSubject } from '../../src/core/follow/follower.ts';
import { PersonalAlerts } from '../../src/core/follow/personal-alerts.ts';
import { alertOf, exitOf } from './alerts.ts';
import { settle } from './chat/chat-engine-fixture.ts';
import { createFakeClock } from './clock.ts';
import { customerOf, putCustomer } from './customer-fixture.ts';
import { eachCall } from './each-call.ts';
import { followerOf, followOf } from './followers.ts';
import { START } from './rows.ts';
import { silentLogger } from './silent-logger.ts';
import { settleMarket, storeAlerts, storeExits } from './stored.ts';

/** The delay of people without real time. */
export const FREE_DELAY_MS = 5 * MINUTE_MS;

export const HIGH: FollowSubject = { kind: 'filter', filter: { minScore: 80 } };
export const WALLET = {
  kind: 'wallet',
  wallet: '0x00000000000000000000000000000000000000aa',
} as const satisfies MuteSubject;
export const MARKET: MuteSubject = {
  kind: 'market',
  marketId: '0xm1',
  title: 'The measure',
  slug: 'measure',
};

/** A person to store. */
export interface GivenPerson extends Partial<Follower> {
  /** Subjects get the ids `a1`, `a2` …. */
  readonly follow?: readonly (FollowSubject | Follow)[];
  /** Of their only key; default: none. */
  readonly tier?: Tier;
  readonly trialEndsAt?: number | null;
  readonly customer?: Partial<CustomerRecord>;
}

/** Stores a customer with their key and what they follow. */
export async function putPerson(
  { customers, keys, followers }: Pick<Database, 'customers' | 'keys' | 'followers'>,
  customerId: string,
  { follow = [], tier, trialEndsAt = null, customer, platform, ...follower }: GivenPerson = {},
): Promise<void> {
  await putCustomer({ customers }, customerOf(customerId, { ...(platform && { platform }), ...customer }));
  if (tier !== undefined) await keys.insert(keyOf(customerId, tier, trialEndsAt));
  const follows = follow.map((each, at) => ('id' in each ? each : followOf(`a${at + 1}`, each)));
  await followers.put(followerOf(customerId, { follows, ...(platform && { platform }), ...follower }));
}

/** The alerts of people over a database. `wrap` stands between them and each store. */
export async function openPersonal(
  database: Database,
  { wrap = (store) => store }: { readonly wrap?: <Store extends object>(store: Store) => Store } = {},
) {
  const clock = createFakeClock(START + DAY_MS);
  const { chat, alerts, exits, settlements, followers, keys, customers } = database;
  let calls = 0;
  /** Counts the calls that have no answer yet. */
  const tracked = <Store extends object>(store: Store) =>
    eachCall(store, (call) => {
      calls += 1;
      return call().finally(() => {
        calls -= 1;
      });
    });
  /** Runs everything that waits neither for time nor for anything that never comes. */
  async function settled(): Promise<void> {
    do await settle();
    while (calls > 0);
  }
  let feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(SECOND_MS) });

  /** A process over the database, not started. */
  function make(): PersonalAlerts {
    const own = <Store extends object>(store: Store) => wrap(tracked(store));
    feed = new Feed({ alerts: own(alerts), logger: silentLogger, retry: () => clock.sleep(SECOND_MS) });
    return new PersonalAlerts({
      ...{ store: own(chat), alerts: own(alerts), exits: own(exits), settlements: own(settlements) },
      ...{ followers: own(followers), keys: own(keys), customers: own(customers) },
      hiddenWallets: own(database.hiddenWallets),
      ...{ feed, clock, logger: silentLogger, freeDelayMs: FREE_DELAY_MS, wake: () => {} },
    });
  }

  async function start(position = 0): Promise<PersonalAlerts> {
    const personal = make();
    onTestFinished(() => personal.close());
    await personal.start(position);
    await settled();
    return personal;
  }

  return {
    database,
    clock,
    putPerson: (customerId: string, given?: GivenPerson) =>
      putPerson(database, customerId, { changedAt: clock.now(), ...given }),
    make,
    start,
    settled,
    /** Stores an alert of now, and announces it. */
    async publish(given: Partial<Alert> & { id: number }): Promise<void> {
      const at = clock.now();
      const alert = alertOf({ tradedAt: at, createdAt: at, ...given });
      await storeAlerts(database, alert);
      feed.announce(alert);
      await settled();
    },
    async sell(given: Partial<Exit> & { number: number }): Promise<void> {
      await storeExits(database, exitOf({ createdAt: clock.now(), ...given }));
      await pass(6 * SECOND_MS);
    },
    async resolve(payout: number, marketId = '0xm1'): Promise<void> {
      await settleMarket(database, { marketId, payouts: [payout, 1 - payout], at: clock.now() });
      await pass(6 * SECOND_MS);
    },
    pass,
    rows: () => rowsOf(database),
    /** The ids of the messages so far, sorted. */
    ids: async () => (await rowsOf(database)).map(({ id }) => id).toSorted(),
  };

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND_MS) {
      await clock.advance(SECOND_MS);
      await settled();
    }
  }
}

/** The pending messages about follows, of all queues. */
export async function rowsOf({ chat }: Database): Promise<readonly ChatMessage[]> {
  const lanes = PLATFORMS.flatMap((name) => [`personal:${name}:first`, `personal:${name}:later`] as const);
  const all = lanes.map((lane) => chat.due({ lane, now: START + 1_000 * DAY_MS, limit: 10_000 }));
  return (await Promise.all(all)).flat();
}

function keyOf(customerId: string, tier: Tier, trialEndsAt: number | null): ApiKey {
  const secret = { lookup: `lookup ${customerId}`, hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' };
  const dates = { createdAt: START, trialEndsAt, revokedAt: null };
  return { ...PLAIN_KEY, ...secret, ...dates, id: `key_${customerId}`, name: 'k', tier, customerId };
}
