import type { createStores } from '../../../src/infra/database/stores/stores.ts';

import { START } from '../../support/rows.ts';
import { CONVERSATION_CALLS } from './conversation-calls.ts';
import { INGEST_CALLS } from './ingest-calls.ts';
import { KEY_CALLS } from './key-calls.ts';
import { LOG_CALLS } from './log-calls.ts';
import { OPERATOR_CALLS } from './operator-store-calls.ts';

type Stores = ReturnType<typeof createStores>;
export type Calls = {
  readonly [Store in Exclude<keyof Stores, 'lease'>]: {
    readonly [Method in keyof Stores[Store]]: (store: Stores[Store]) => Promise<unknown>;
  };
};

const PAGE = { limit: 10 };
const CLAIM = { owner: 'host/1', at: START, call: 'call' };
const POST = { channel: 'telegram', threadId: 1 } as const;
const RANGE = { from: START, until: START + 1 };
const RUN = { job: 'digest', period: '2026-11-20', owner: 'host/1', startedAt: START };
const ENDED = { ...RUN, endedAt: null, outcome: null, isFailed: false };
const HANDLE = { platform: 'telegram', userId: '1', name: 'Ann', chat: '1' } as const;
const CUSTOMER = { id: 'cus_a', trial: null, bannedAt: null, createdAt: START, mergedInto: null };
const RECORD = { ...CUSTOMER, isMoved: false, erasingAt: null, version: 1 };
const OUTCOME = { id: 'msg_1', state: 'failed', finishedAt: START, result: null } as const;
const DELIVERY = { ...OUTCOME, state: 'pending', webhookId: 'wh_a', alertId: 1, createdAt: START } as const;
const COUNTS = { delivered: 0, failed: 0, failuresInRow: 0 };
const WEBHOOK = { ...COUNTS, id: 'wh_a', keyId: 'key_a', url: 'https://a.example', categories: null };
const OWNED = {
  ...WEBHOOK,
  minScore: null,
  filters: null,
  events: null,
  secretVersion: 1,
  rotatedAt: null,
  isPaused: false,
  createdAt: START,
};
const CONFIRMED = { since: START, confirmedUntil: START, oldestWaiting: null };
const GONE = { error: 'gone', at: START };
const FAILED = { state: 'failed', error: 'x', at: START } as const;
const RESOLUTION = { marketId: '0xm', seq: 1, outcomes: ['Yes'], payouts: [1], resolved: 1, won: 1 };
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
export const CALLS: Calls = {
  ...CONVERSATION_CALLS,
  ...KEY_CALLS,
  ...INGEST_CALLS,
  audit: {
    append: (audit) => audit.append({ at: START, actor: 'a', command: 'b', args: 'c', outcome: 'd' }),
    list: (audit) => audit.list(PAGE),
  },
  chat: {
    add: (chat) => chat.add([{ ...MESSAGE, createdAt: START, dueAt: START }]),
    advance: (chat) => chat.advance('channel_posts', 1),
    byId: (chat) => chat.byId('m'),
    claim: (chat) => chat.claim('m', CLAIM),
    claims: (chat) => chat.claims(10),
    countPosts: (chat) => chat.countPosts('telegram', START),
    countThreadsAbove: (chat) => chat.countThreadsAbove({ ...POST, after: START, score: 70 }),
    counts: (chat) => chat.counts(),
    cursor: (chat) => chat.cursor('channel_posts'),
    decide: (chat) => chat.decide('m', { state: 'pending', dueAt: START }),
    due: (chat) => chat.due({ ...PAGE, lane: 'private', now: START, after: { id: 'm', dueAt: START } }),
    editsOf: (chat) => chat.editsOf(1),
    endGone: (chat) => chat.endGone('m', GONE),
    finish: (chat) => chat.finish('m', 'host/1', FAILED),
    folded: (chat) => chat.folded({ ...PAGE, ...RANGE, channel: 'telegram' }),
    giveUp: (chat) => chat.giveUp('m', FAILED),
    givenUp: (chat) => chat.givenUp({ since: START, limit: 10 }),
    makeUpdate: (chat) => chat.makeUpdate('m'),
    postsOf: (chat) => chat.postsOf(1),
    postsOfMarket: (chat) => chat.postsOfMarket({ ...PAGE, marketId: '0xm' }),
    postsOfThread: (chat) => chat.postsOfThread(POST),
    prune: (chat) => chat.prune({ ...PAGE, endedBefore: START, postsBefore: START }),
    removeOf: (chat) => chat.removeOf(['customer:cus_a']),
    undecided: (chat) => chat.undecided({ ...PAGE, channel: 'telegram', until: START }),
    unknown: (chat) => chat.unknown(10),
    withdraw: (chat) => chat.withdraw('m', START),
  },
  customers: {
    addPastTrials: (customers) => customers.addPastTrials(['a', 'b']),
    blankHandles: (customers) => customers.blankHandles('cus_a'),
    code: (customers) => customers.code('hash'),
    count: (customers) => customers.count(START),
    get: (customers) => customers.get('cus_a'),
    handle: (customers) => customers.handle(HANDLE),
    handlesByName: (customers) => customers.handlesByName('ann', 10),
    handlesOf: (customers) => customers.handlesOf(['cus_a']),
    hasPastTrial: (customers) => customers.hasPastTrial(['a']),
    insert: (customers) => customers.insert(RECORD),
    markUnreachable: (customers) => customers.markUnreachable('telegram', '1'),
    mergedInto: (customers) => customers.mergedInto('cus_a'),
    moveHandles: (customers) => customers.moveHandles('cus_a', 'cus_b'),
    page: (customers) => customers.page({ ...PAGE, trialEnds: RANGE }),
    pruneCodes: (customers) => customers.pruneCodes(START),
    putCode: (customers) => customers.putCode({ customerId: 'cus_a', hash: 'hash', expiresAt: START }),
    remove: (customers) => customers.remove('cus_a'),
    removeCodesOf: (customers) => customers.removeCodesOf('cus_a'),
    removeHandles: (customers) => customers.removeHandles('cus_a'),
    replace: (customers) => customers.replace(RECORD),
    takeCode: (customers) => customers.takeCode('hash'),
    touch: (customers) => customers.touch(HANDLE, 'cus_a'),
    unfinished: (customers) => customers.unfinished(10),
  },
  deliveries: {
    add: (deliveries) => deliveries.add([DELIVERY]),
    advance: (deliveries) => deliveries.advance(1),
    byIds: (deliveries) => deliveries.byIds(['msg_1']),
    claim: (deliveries) => deliveries.claim(['msg_1'], CLAIM),
    claims: (deliveries) => deliveries.claims({ claimedBefore: 10, limit: 10 }),
    cursor: (deliveries) => deliveries.cursor(),
    finish: (deliveries) => deliveries.finish('host/1', [OUTCOME], 'call'),
    giveUp: (deliveries) => deliveries.giveUp([OUTCOME], 'call'),
    list: async (deliveries) => {
      await deliveries.add([{ ...DELIVERY, id: 'msg_2' }]);
      for (const state of ['pending', 'requested', 'claimed', 'failed'] as const)
        await deliveries.list('wh_a', { ...PAGE, state });
      return deliveries.list('wh_a', { ...PAGE, before: 'msg_2' });
    },
    requested: (deliveries) => deliveries.requested(10),
    prune: (deliveries) => deliveries.prune({ ...PAGE, createdBefore: START + 1 }),
    waiting: (deliveries) =>
      deliveries.waiting({ ...PAGE, createdBefore: START, after: { id: 'm', createdAt: START } }),
  },
  coverage: {
    putWindow: (feed) =>
      feed.putWindow({
        id: 'w',
        startedAt: START,
        endedAt: null,
        cause: 'outage',
        backfilledAt: null,
      } as never),
    readPosition: (feed) => feed.readPosition(),
    unsettled: (feed) => feed.unsettled(START),
    windows: (feed) => feed.windows({ ...PAGE, since: START, until: START }),
    writePosition: (feed) => feed.writePosition(CONFIRMED),
  },
  heartbeats: {
    beat: (heartbeats) => heartbeats.beat({ owner: 'host/1', roles: [], at: START, checks: {} }),
    list: (heartbeats) => heartbeats.list(),
    prune: (heartbeats) => heartbeats.prune(START),
    remove: (heartbeats) => heartbeats.remove('host/1'),
  },
  jobRuns: {
    begin: async (runs) => {
      await runs.begin(RUN, () => true);
      return runs.begin(RUN, () => true);
    },
    end: (runs) => runs.end(ENDED, { at: START, outcome: 'done', isFailed: false }),
    latest: (runs) => runs.latest(),
    prune: (runs) => runs.prune(START),
  },
  journal: {
    append: (journal) => journal.append(LEASE, { first: 1, acceptedAt: START, lines: ['{}'] }),
    bounds: (journal) => journal.bounds(),
    from: (journal) => journal.from(1, 10),
    prune: (journal) => journal.prune({ ...PAGE, position: 1, acceptedBefore: START }),
  },
  keys: {
    byCustomer: (keys) => keys.byCustomer('cus_a'),
    byId: (keys) => keys.byId('key_a'),
    byIds: (keys) => keys.byIds(['key_a']),
    byLookup: (keys) => keys.byLookup('sk_live_ab'),
    byRequest: (keys) => keys.byRequest('request'),
    changes: (keys) => keys.changes(),
    confirmShown: (keys) => keys.confirmShown('key_a', 'request'),
    endedTrials: (keys) => keys.endedTrials({ from: 0, until: START, limit: 10 }),
    idsOf: (keys) => keys.idsOf('cus_a'),
    insert: (keys) => keys.insert(KEY),
    insertWithin: (keys) => keys.insertWithin({ ...KEY, id: 'key_b', lookup: 'b' }, 10),
    list: (keys) => keys.list(),
    markFirstUsed: (keys) => keys.markFirstUsed('key_a', START),
    moveAll: (keys) => keys.moveAll('cus_a', 'cus_b'),
    moveTrial: (keys) => keys.moveTrial('key_a', START, { tier: 'pro', trialEndsAt: START }),
    removeAll: (keys) => keys.removeAll('cus_a'),
    rename: (keys) => keys.rename('key_a', 'desk'),
    retire: (keys) => keys.retire('key_a', START),
    revoke: (keys) => keys.revoke('key_a', START),
    rotate: (keys) => keys.rotate('key_a', ROTATION),
    setTier: (keys) => keys.setTier('key_a', 'pro', null),
  },
  ...LOG_CALLS,
  ...OPERATOR_CALLS,
  pauses: {
    list: (pauses) => pauses.list(),
    pause: (pauses) => pauses.pause({ name: 'feed', at: START, by: 'a' }),
    resume: (pauses) => pauses.resume('feed'),
  },
  records: {
    at: (records) => records.at('record'),
    get: (records) => records.get('record'),
    put: (records) => records.put({ name: 'record', at: START, text: '{}' }),
  },
  settlements: {
    after: (settlements) => settlements.after(1, 10),
    get: (settlements) => settlements.get('0xm'),
    lastSeq: (settlements) => settlements.lastSeq(),
    put: (settlements) => settlements.put(RESOLUTION),
    totals: (settlements) => settlements.totals(),
  },
  statements: {
    after: (statements) => statements.after(1, 10),
    append: (statements) =>
      statements.append({ at: START, kind: 'hide', wallet: '0xa', alertId: null, reason: 'x' }),
    hiddenWallets: (statements) => statements.hiddenWallets(),
    ofWallet: (statements) => statements.ofWallet('0xa'),
  },
  walletAges: {
    get: (ages) => ages.get('0xa'),
    put: (ages) => ages.put({ wallet: '0xa', createdAt: START, source: 'profile' }),
  },
  webhooks: {
    active: (webhooks) => webhooks.active(),
    addCounts: (webhooks) => webhooks.addCounts([{ id: 'wh_a', delivered: 1, failed: 0, failuresAtEnd: 0 }]),
    byIds: (webhooks) => webhooks.byIds(['wh_a']),
    changes: (webhooks) => webhooks.changes(),
    insert: (webhooks) => webhooks.insert(OWNED, 10),
    listByKey: (webhooks) => webhooks.listByKey('key_a'),
    remove: (webhooks) => webhooks.remove('key_a', 'wh_a'),
    rotate: (webhooks) => webhooks.rotate('key_a', 'wh_a', START),
    update: (webhooks) => webhooks.update('key_a', 'wh_a', { isPaused: true }),
  },
};
