import { createConnection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { threadKey } from '../../../src/core/alerts/ledger/thread.ts';
import type { Database } from '../../../src/core/database.ts';
import { alertOf } from '../../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { START } from '../../support/rows.ts';

const mongo = DATABASES.filter(({ name }) => name.startsWith('MongoDB'));
const PAGE = { limit: 10 };

/** What is asked at each key check, visit, tap or turn, and so has to cost the same however many there are. */
const ASKED: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'a key by its lookup part, present or former': ({ keys }) => keys.byLookup('sk_live_ab'),
  'a key by its request, present or past': ({ keys }) => keys.byRequest('request'),
  'the keys of a customer': ({ keys }) => keys.byCustomer('cus_a'),
  'trials that ended': ({ keys }) => keys.endedTrials({ from: 0, until: START, limit: 10 }),
  'the parts of a customer': ({ customers }) => customers.mergedInto('cus_a'),
  'what a crash left half done': ({ customers }) => customers.unfinished(10),
  'people by name': ({ customers }) => customers.handlesByName('ann', 10),
  'the handles of a customer': ({ customers }) => customers.handlesOf(['cus_a']),
  'customers whose trial ends': ({ customers }) =>
    customers.page({ ...PAGE, trialEnds: { from: START, until: START + 1 } }),
  'a code that links': ({ customers }) => customers.code('hash'),
  'messages that are due': ({ chat }) => chat.due({ ...PAGE, lane: 'private', now: START }),
  'messages that are being sent': ({ chat }) => chat.claims(10),
  'how many posts a day had': ({ chat }) => chat.countPosts('telegram', START),
  'posts that were never attempted': ({ chat }) =>
    chat.undecided({ ...PAGE, channel: 'telegram', until: START }),
  'how many threads of a day are better': ({ chat }) =>
    chat.countThreadsAbove({ channel: 'telegram', after: START, score: 70, threadId: 1 }),
  'what was folded': ({ chat }) =>
    chat.folded({ ...PAGE, channel: 'telegram', from: START, until: START + 1 }),
  'the posts of an alert': ({ chat }) => chat.postsOf(1),
  'the posts of a thread': ({ chat }) => chat.postsOfThread({ channel: 'telegram', threadId: 1 }),
  'the posts of a market': ({ chat }) => chat.postsOfMarket({ ...PAGE, marketId: '0xm' }),
  'the markets of unresolved alerts': ({ alerts }) => alerts.unresolvedMarkets({ afterId: 0, limit: 10 }),
  'the alerts of a market': ({ alerts }) => alerts.ofMarket('0xm', 10),
  'the report on a wallet': ({ alerts }) => alerts.walletReport(alertOf({ id: 1 }).wallet, PAGE),
  'the report on a market': ({ alerts }) => alerts.marketReport('0xm1', PAGE),
  'the market of a slug': ({ alerts }) => alerts.marketOfSlug('will-the-measure-pass', {}),
  'the alerts of a thread': ({ alerts }) => alerts.thread(threadKey(alertOf({ id: 1 }))),
  'hot markets up to a moment': ({ alerts }) =>
    alerts.hotMarkets({ since: START, until: START + 9_000, limit: 10 }),
  'stats up to a moment': ({ alerts }) => alerts.stats({ dayStart: START, until: START + 2_000 }),
  'the log up to a moment': ({ log }) => log.after(1, { limit: 10, before: START }),
  'the head of the log at a moment': ({ log }) => log.headAt(START),
  'the newest entry about a subject': ({ log }) => log.lastAbout('alert:1'),
  'the newest entry of a kind': ({ log }) => log.lastOf('rules'),
  'what operators stated about a wallet': ({ statements }) => statements.ofWallet('0xa'),
  'the wallets that are hidden': ({ statements }) => statements.hiddenWallets(),
  'all markets that were observed': ({ observations }) => observations.markets({ limit: 10, after: '0xa' }),
  'the markets that are observed': ({ observations }) => observations.open({ limit: 10, after: '0xa' }),
  'the hours of a market': ({ observations }) =>
    observations.hours('0xm1', { from: START, until: START + 9_000_000, limit: 10 }),
  'the messages for a customer': ({ chat }) => chat.removeOf(['customer:cus_a']),
};

describe.skipIf(mongo.every(({ available }) => !available))('MongoDB answers from an index', () => {
  let opened: TestDatabase;
  let planOf: (ask: (database: Database) => Promise<unknown>) => Promise<readonly string[]>;

  beforeAll(async () => {
    const [kind] = mongo;
    if (kind === undefined) throw new Error('no such database');
    opened = await kind.open();
    for (const id of [1, 2, 3]) await opened.database.alerts.append(alertOf({ id }));
    const connection = await createConnection(opened.url).asPromise();
    planOf = async (ask) => {
      const since = new Date();
      await connection.db?.command({ profile: 2 });
      await ask(opened.database);
      await connection.db?.command({ profile: 0 });
      const profile = connection.collection<{ planSummary?: string }>('system.profile');
      const asked = { ts: { $gte: since }, op: { $in: ['query', 'remove', 'command'] } };
      const found = await profile.find({ ...asked, planSummary: { $exists: true } }).toArray();
      return found.map(({ planSummary }) => planSummary ?? '');
    };
    return () => connection.close();
  });
  afterAll(() => opened.drop());

  for (const [what, ask] of Object.entries(ASKED)) {
    test(what, async () => {
      const plans = await planOf(ask);

      expect(plans).not.toEqual([]);
      expect(plans.filter((plan) => plan.includes('COLLSCAN'))).toEqual([]);
    });
  }
});
