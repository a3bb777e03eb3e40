import type { createStores } from '../../../src/infra/database/stores/stores.ts';
import { alertOf, exitOf, settlementOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';

type Stores = Omit<ReturnType<typeof createStores>, 'alertIndex'>;
type Call<Method> = Method extends (...args: infer Args) => unknown ? Readonly<Args> : never;

/** Arguments of a method, or what calls it, where one call does not reach each of its queries. */
type Calls = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]:
      | Call<Stores[Store][Method]>
      | ((store: Stores[Store]) => Promise<unknown>);
  };
};

const PAGE = { limit: 10 };
const RESOLUTION = { payout: 1, won: true, profitUsdc: 1 };
const HASHES = { previous: '0', hash: '1' };
const ENTRY = { ...HASHES, sequence: 1, at: START, kind: 'rules', subject: 'rules', body: {} } as never;

/** Every method of every store that both databases share, with arguments that reach each of its queries. */
const CALLS: Calls = {
  alerts: {
    append: async (alerts) => {
      await alerts.append(alertOf({ id: 2 }));
      return alerts.append(alertOf({ id: 1 }));
    },
    setLog: [1, { sequence: 1, hash: 'a' }],
    withdraw: [1, { at: START, reason: null }],
    marketsWithoutEvent: [],
    nameEvent: ['0xm1', 'the-event'],
    last: [],
    byId: [1],
    known: [['a']],
    threads: [['w:0xaa:0xm1:BUY:Yes']],
    ofMarket: ['0xm1', 10],
    after: [1, 10],
    latest: async (alerts) => {
      await alerts.latest({ limit: 10 });
      return alerts.latest({ limit: 10, until: START });
    },
    search: [
      { search: '0xaa', until: START + 60_000 },
      { page: 1, pageSize: 10 },
    ],
    hotMarkets: [{ since: START, until: START + 9_000 }, 10],
    some: [[1, 2]],
    facets: [0, 10],
    results: [['0xm1']],
    marketsOf: ['the-event'],
    visible: [1, START],
    settledMarkets: [START, 10],
    settlementsOf: [['0xm1'], START],
    stats: [{ dayStart: START, until: START + 2_000 }],
    preview: [{ since: START, until: START + 9_000 }, { newest: 1 }],
    matching: [{ side: 'BUY' }, { ids: [1], marketIds: ['0xm1'] }],
    walletReport: [alertOf({ id: 1 }).wallet, PAGE],
    marketReport: ['0xm1', PAGE],
    marketOfSlug: ['will-the-measure-pass', {}],
    marketsOfEvent: ['will-the-measure-pass', { limit: 2 }],
    marketsNamed: ['measure', { limit: 2 }],
    walletsNamed: [{ start: '0xa', end: '1' }, { limit: 2 }],
    resolveMarket: ['0xm1', () => RESOLUTION],
    unresolvedMarkets: [{ afterId: 0, limit: 10 }],
  },
  log: {
    after: [1, 10],
    append: [[ENTRY]],
    headAt: [START],
    last: [],
    lastAbout: async (log) => {
      await log.lastAbout('alert:1', 7);
      return log.lastAbout('alert:1');
    },
    sequencesOf: ['outcome', { after: 1, upto: 9, limit: 10 }],
    some: [[1, 2]],
    lastOf: ['rules'],
  },
  exits: {
    after: [1, 10],
    append: (exits) => exits.append(exitOf({ number: 1 })),
    known: [['x:w:0xaa:1001:half']],
    last: async (exits) => {
      await exits.last();
      return exits.last(START);
    },
    ofThreads: [[1, 2], START],
    setLog: [1, { sequence: 1, hash: 'a' }],
  },
  settlements: {
    after: [1, 10],
    get: ['0xm'],
    lastSeq: [],
    newest: [10],
    put: [settlementOf({ marketId: '0xm' })],
    some: [['0xm']],
  },
};

type AnyStore = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

/** Every method of `CALLS` by its name, for example `alerts.byId`. */
export const NAMED_CALLS = Object.entries(CALLS).flatMap(([store, methods]) =>
  Object.entries(
    methods as Readonly<Record<string, readonly unknown[] | ((store: AnyStore) => unknown)>>,
  ).map(([method, call]) => ({
    name: `${store}.${method}`,
    async run(stores: object) {
      const called = Reflect.get(stores, store) as AnyStore;
      await (typeof call === 'function' ? call(called) : called[method]?.(...call));
    },
  })),
);
