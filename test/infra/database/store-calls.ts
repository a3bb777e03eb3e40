import type { createStores } from '../../../src/infra/database/stores/stores.ts';
import { exitOf, settlementOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { webhookOf } from '../../support/webhooks.ts';
import { INGEST_CALLS } from './ingest-calls.ts';
import { SMALL_CALLS } from './small-store-calls.ts';

type Stores = ReturnType<typeof createStores>;
type Call<Method> = Method extends (...args: infer Args) => unknown ? Readonly<Args> : never;

/** Arguments of a method, or what calls it, where one call does not reach each of its queries. */
export type Calls = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]:
      | Call<Stores[Store][Method]>
      | ((store: Stores[Store]) => Promise<unknown>);
  };
};

const PAGE = { limit: 10 };
const CLAIM = { owner: 'host/1', at: START, call: 'call' };
const POST = { channel: 'telegram', threadId: 1 } as const;
const RANGE = { from: START, until: START + 1 };
const OUTCOME = { id: 'msg_1', state: 'failed', finishedAt: START, result: null } as const;
const DELIVERY = { ...OUTCOME, state: 'pending', webhookId: 'wh_a', alertId: 1, createdAt: START } as const;
const GONE = { error: 'gone', at: START };
const FAILED = { state: 'failed', error: 'x', at: START } as const;
const RESOLUTION = settlementOf({ marketId: '0xm' });
const MESSAGE = { id: 'm', recipient: 'key:a', kind: 'operator_note', facts: { text: 'a' } } as const;
const LEASE = { epoch: 1 };
const SECRET = {
  lookup: 'a',
  hash: 'hash',
  previous: null,
  handover: { request: 'request', isShown: false },
};
const TERMS = { tier: 'pro', createdAt: START, trialEndsAt: null, revokedAt: null, limits: null } as const;
const KEY = { ...SECRET, ...TERMS, id: 'key_a', name: 'desk', customerId: 'cus_a', firstUsedAt: null };
const ROTATION = { ...SECRET, from: 'a' };

/** Every method of every store that both databases share, with arguments that reach each of its queries. */
const CALLS: Calls = {
  ...SMALL_CALLS,
  ...INGEST_CALLS,
  chat: {
    add: [[{ ...MESSAGE, createdAt: START, dueAt: START }]],
    advance: ['channel_alerts', 1],
    byId: ['m'],
    byIds: [['m']],
    claim: ['m', CLAIM],
    claims: [10],
    decided: ['telegram', START],
    counts: [START],
    cursor: ['channel_alerts'],
    due: [{ ...PAGE, lane: 'private', now: START, after: { id: 'm', dueAt: START } }],
    dueOf: [{ recipient: 'customer:a', lane: 'personal:telegram:first', now: START, limit: 10 }],
    editsOf: [1],
    endGone: ['m', GONE],
    finish: ['m', 'host/1', FAILED],
    folded: [{ ...PAGE, ...RANGE, channel: 'telegram' }],
    giveUp: ['m', FAILED],
    lastList: ['customer:a', START],
    makeUpdate: ['m'],
    personalOfThread: [{ ...PAGE, threadId: 1, after: { recipient: 'customer:cus_a', id: 'm' } }],
    postpone: ['m', START],
    postsOf: [1],
    countResultsBefore: [{ recipient: 'customer:cus_a', threadId: 1, seq: 1 }],
    postsOfMarket: [{ ...PAGE, marketId: '0xm' }],
    postsOfThread: [POST],
    prune: [{ ...PAGE, endedBefore: START, postsBefore: START }],
    removeOf: [['customer:cus_a']],
    toldTo: [{ recipient: 'customer:a', since: START, createdAfter: START }],
    undecided: [{ ...PAGE, channel: 'telegram', until: START }],
    unknown: [{ since: START, limit: 10 }],
    unlisted: [{ recipient: 'customer:a', after: START, until: START, limit: 10 }],
    wasTold: ['customer:a', START],
    withdraw: ['m', START],
  },
  deliveries: {
    add: [[DELIVERY]],
    advance: [1],
    byIds: [['msg_1']],
    claim: [['msg_1'], CLAIM],
    claims: [{ claimedBefore: 10, limit: 10 }],
    cursor: [],
    finish: [[OUTCOME], 'call'],
    giveUp: [[OUTCOME], 'call'],
    list: async (deliveries) => {
      await deliveries.add([{ ...DELIVERY, id: 'msg_2' }]);
      for (const state of ['pending', 'requested', 'claimed', 'failed'] as const)
        await deliveries.list('wh_a', { ...PAGE, state });
      return deliveries.list('wh_a', { ...PAGE, before: 'msg_2' });
    },
    requested: [10],
    prune: [{ ...PAGE, createdBefore: START + 1 }],
    waiting: [{ ...PAGE, createdBefore: START, after: { id: 'm', createdAt: START } }],
  },
  journal: {
    append: [LEASE, { first: 1, acceptedAt: START, lines: ['{}'] }],
    bounds: [],
    from: [1, 10],
    prune: [{ ...PAGE, position: 1, acceptedBefore: START }],
  },
  keys: {
    byCustomer: ['cus_a'],
    byCustomers: [['cus_a', 'cus_b']],
    byId: ['key_a'],
    byIds: [['key_a']],
    byLookup: ['sk_live_ab'],
    byRequest: ['request'],
    changes: [],
    confirmShown: ['key_a', 'request'],
    endedTrials: [{ from: 0, until: START, limit: 10 }],
    idsOf: ['cus_a'],
    insert: [KEY],
    insertWithin: [{ ...KEY, id: 'key_b', lookup: 'b' }, 10],
    list: [],
    markFirstUsed: ['key_a', START],
    removeAll: ['cus_a'],
    rename: ['key_a', 'desk'],
    retire: ['key_a', START],
    revoke: ['key_a', START],
    rotate: ['key_a', ROTATION],
    setTier: ['key_a', 'pro', null],
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
    put: [RESOLUTION],
    some: [['0xm']],
    totals: [],
  },
  webhooks: {
    active: [],
    addCounts: [[{ id: 'wh_a', delivered: 1, failed: 0, failuresAtEnd: 0 }]],
    byIds: [['wh_a']],
    changes: [],
    insert: [webhookOf({ id: 'wh_a' }), 10],
    listByKey: ['key_a'],
    remove: ['key_a', 'wh_a'],
    rotate: ['key_a', 'wh_a', START],
    update: ['key_a', 'wh_a', { isPaused: true }],
  },
};

type AnyStore = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

/** Every method of `CALLS` by its name, for example `keys.byId`. */
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
