import type { Database } from '../../src/core/database.ts';
import { declaredKinds } from '../../src/infra/database/documents/declared-kinds.ts';
import { customerOf, putCustomer } from './customer-fixture.ts';
import { followerOf, followOf, walletOf } from './followers.ts';
import { recordReportOf } from './record-report.ts';
import { START } from './rows.ts';
import { writeWhole } from './whole-snapshot.ts';

type Lease = NonNullable<Awaited<ReturnType<Database['lease']['acquire']>>>;

/** Line ends of Unicode, which JSON writes as they are; a control character; characters of two UTF-16 units. */
export const UNUSUAL_TEXT = 'é “x” \u2028\u2029\u0085 \u0000\r 😀';

/**
 * Stores documents of every kind but those of the log, keys, presets and webhooks, by the queries of the features, and frees the lease
 * under which it does. Lists and objects in them are empty and filled, and values are null and set.
 */
export async function storeOtherKinds(database: Database): Promise<void> {
  const claim = { owner: 'a process', now: START, ttlMs: 1_000, isGone: () => false };
  const lease = await database.lease.acquire(claim);
  if (lease === null) throw new Error('the lease is held');
  await storeIngestion(database, lease);
  await storePeople(database);
  await storeMessages(database);
  await storeOperations(database);
  await database.lease.release(lease);
}

async function storeIngestion(database: Database, lease: Lease): Promise<void> {
  const { coverage, ingest, journal, markets, prices, records, walletAges } = database;
  const window = { id: 'window 1', startedAt: START, cause: 'stopped' } as const;
  await coverage.putWindow({ ...window, endedAt: null, backfilledAt: null });
  await coverage.putWindow({ ...window, id: 'window 2', endedAt: START + 1, backfilledAt: START + 2 });
  await coverage.writePosition({ since: START, confirmedUntil: START + 1, oldestWaiting: null });
  const chunks = [`[1,${JSON.stringify(UNUSUAL_TEXT)}]`, 'x'.repeat(1_000_000)];
  await writeWhole(ingest, lease, { source: 'tape', checkpoint: { offset: 2 ** 40 + 0.5 }, chunks });
  await journal.append(lease, { first: 1, acceptedAt: START, lines: ['{"a":1}', UNUSUAL_TEXT] });
  await markets.nameEvent('0xnamed', 'an-event');
  const points = [[START / 1_000, 0.123456789]] as const;
  const open = { marketId: '0xopen', baseAsset: '1', endsAt: null, settledAt: null, alerts: [], points };
  const settled = { ...open, marketId: '0xsettled', endsAt: START, settledAt: START + 1 };
  const day = { marketId: '0xopen', day: 20_000, points };
  await prices.write(lease, { days: [day], markets: [open, settled] });
  await records.put({ at: START, report: recordReportOf() });
  await walletAges.put({ wallet: '0xa', createdAt: START, source: 'profile' });
}

async function storePeople(database: Database): Promise<void> {
  const { customers, followers, hiddenWallets, questions, usage } = database;
  await putCustomer(database, customerOf('plain', { name: null }));
  const trial = { request: 'r', startedAt: START, endsAt: START + 1 };
  const change = { name: UNUSUAL_TEXT, trial, bannedAt: START, erasingAt: START, isReachable: false };
  await putCustomer(database, customerOf('changed', change));
  await customers.addPastTrial('mark');
  const follows = [followOf('a1', walletOf(1), { nickname: UNUSUAL_TEXT, mode: 'daily' })];
  await followers.put(followerOf('plain'));
  await followers.put(followerOf('changed', { follows, zone: 'Europe/Paris', quiet: { from: 22, to: 7 } }));
  await hiddenWallets.add({ wallet: '0xhidden', reason: null, at: START });
  await hiddenWallets.add({ wallet: '0xother', reason: UNUSUAL_TEXT, at: START });
  await questions.put({ platform: 'telegram', userId: '7', action: 'name', expiresAt: START });
  await usage.add('2026-01-02', new Map([['key_a', 12]]));
}

async function storeMessages(database: Database): Promise<void> {
  const { chat, deliveries, keyMessages } = database;
  const times = { createdAt: START, dueAt: START };
  const facts = { text: UNUSUAL_TEXT };
  await chat.add([
    { id: 'waits', recipient: 'customer:plain', kind: 'broadcast', facts, ...times },
    { id: 'sent', recipient: 'customer:plain', kind: 'trial_reminder', facts: { endsAt: START }, ...times },
    { id: 'claimed', recipient: 'customer:plain', kind: 'broadcast', facts, ...times },
  ]);
  const owner = 'a process';
  for (const id of ['sent', 'claimed']) await chat.claim(id, { owner, at: START });
  await chat.finish('sent', owner, { state: 'sent', place: '7:1', at: START });
  await chat.advance('personal_alerts', 9_000);
  const waiting = { webhookId: 'wh_1', createdAt: START, finishedAt: null, result: null } as const;
  await deliveries.add([
    { id: 'msg_waits', ...waiting, alertId: 1, state: 'pending' },
    { id: 'msg_ended', ...waiting, alertId: null, exit: 3, state: 'pending' },
  ]);
  await deliveries.claim(['msg_ended'], { at: START, call: 'call 1' });
  const result = { status: 503, error: 'status', durationMs: 12, retryAfterSeconds: null } as const;
  await deliveries.finish([{ id: 'msg_ended', state: 'failed', finishedAt: START, result }], 'call 2');
  await deliveries.advance(9_000);
  const shown = { bot: 'telegram', messageRef: '7:1', request: 'r', attempts: 0 } as const;
  await keyMessages.add({ ...shown, ...times });
}

async function storeOperations(database: Database): Promise<void> {
  const { audit, jobRuns, operatorAlarms, operatorRequests, pauses, worker } = database;
  for (const outcome of ['done', UNUSUAL_TEXT])
    await audit.append({ at: START, actor: 'telegram:1', command: 'pause', args: 'feed', outcome });
  await jobRuns.begin({ job: 'digest', period: '2026-01-01', startedAt: START }, () => false);
  const run = await jobRuns.begin({ job: 'digest', period: '2026-01-02', startedAt: START }, () => false);
  if (run !== null) await jobRuns.end(run, { at: START, outcome: 'sent', isFailed: false });
  const alarm = { sentence: UNUSUAL_TEXT, since: START, until: null, raises: 1, isReported: true };
  await operatorAlarms.put({ name: 'disk_low', isRaised: true, ...alarm });
  await operatorRequests.add({ id: 'req_1', command: 'pause', args: 'feed', actor: 'telegram:1', at: START });
  await pauses.pause({ name: 'posts', at: START, by: 'telegram:1' });
  await worker.put({ owner: 'a process', at: START, address: 'http://localhost', checks: { feed: 'ok' } });
}

/** All documents of a database by kind, ordered by id. */
export async function documentsIn({
  documents,
}: Pick<Database, 'documents'>): Promise<ReadonlyMap<string, readonly object[]>> {
  const all = new Map<string, readonly object[]>();
  for (const declaration of declaredKinds())
    all.set(declaration.kind, await documents(declaration).find({ order: 'id' }));
  return all;
}
