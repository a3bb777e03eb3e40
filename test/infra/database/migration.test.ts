import { expect, test } from 'vitest';
import { PLAIN_KEY } from '../../../src/core/accounts/keys/api-key.ts';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { alertOf } from '../../support/alerts.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { readWhole, writeWhole } from '../../support/whole-snapshot.ts';
import { onEachDatabase } from './each-database.ts';
import { bringBack } from './version-1-to-3.ts';
import { bringBackToFifth } from './version-5.ts';
import { bringBackToSixth } from './version-6.ts';
import { bringBackToSeventh } from './version-7.ts';
import { bringBackToEighth } from './version-8.ts';

const WON = { payout: 1, won: true, profitUsdc: 100 };
const LOST = { payout: 0, won: false, profitUsdc: -50 };
const ALERTS = [
  alertOf({ id: 1, entryPrice: 0.3, resolution: WON }),
  alertOf({ id: 2, side: 'SELL', entryPrice: 0.2, resolution: LOST }),
  alertOf({ id: 3, threadId: 1, supersedes: 1, entryPrice: 0.9 }),
];
const LAST_DAY = { since: START, until: START + 86_400_000 };

onEachDatabase('a database of version 1', (fixture) => {
  test('is brought forward with all it holds: alerts, what they are summed up from, what they are searched by', async () => {
    for (const alert of ALERTS) await fixture.database.alerts.append(alert);
    await fixture.database.close();
    await bringBack(fixture.url, 1);

    const { alerts, presets } = await fixture.another();

    expect(await alerts.after(0, 10)).toStrictEqual(ALERTS);
    // 0.3 paid for the one, 1 − 0.2 for the other.
    expect(await alerts.preview(LAST_DAY, { newest: 0 })).toMatchObject({
      total: 3,
      resolved: 2,
      won: 1,
      entrySum: 1.1,
    });
    const found = await alerts.search({ search: 'MEASURE', side: 'BUY' }, { page: 1, pageSize: 10 });
    expect([found.total, found.alerts.map(({ id }) => id)]).toEqual([2, [3, 1]]);
    expect(await presets.listByKey('key_1')).toEqual([]);
  });

  test('logs each step that moves its data, when it begins and when it ends', async () => {
    await fixture.database.close();
    await bringBack(fixture.url, 1);
    const { lines, ...logger } = createRecordingLogger();

    await (await openDatabase(fixture.url, { logger, migrates: true })).close();
    const steps = lines.filter(({ message }) => message.startsWith('database migration'));

    expect(steps).toMatchObject(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((from) => [
        { level: 'info', fields: { from, to: from + 1 }, message: 'database migration started' },
        {
          level: 'info',
          fields: { from, to: from + 1, seconds: expect.any(Number) },
          message: 'database migration finished',
        },
      ]),
    );
    lines.length = 0;
    await (await openDatabase(fixture.url, { logger, migrates: true })).close();
    expect(lines).toEqual([]);
  });

  test('stays as it is when it is opened again', async () => {
    await fixture.database.alerts.append(ALERTS[0] ?? alertOf({ id: 1 }));
    await fixture.database.close();
    await bringBack(fixture.url, 1);
    await (await openDatabase(fixture.url, { logger: silentLogger, migrates: true })).close();

    const { alerts } = await fixture.another();

    expect(await alerts.preview(LAST_DAY, { newest: 0 })).toMatchObject({ resolved: 1, entrySum: 0.3 });
  });
});

const KEPT = {
  id: 'wh_a',
  keyId: 'key_a',
  url: 'https://example.com/hook',
  minScore: 70,
  secretVersion: 1,
} as const;
const WEBHOOK = { ...KEPT, categories: ['tech'], createdAt: START, delivered: 3, failed: 2 } as const;
const NEW = { filters: null, events: null, rotatedAt: null, isPaused: false, failuresInRow: 0 } as const;

onEachDatabase('a database of version 2', (fixture) => {
  test('is migrated with all it holds: webhooks stay unpaused, and deliveries can be made', async () => {
    const { database, url } = fixture;
    const preset = { id: 'pre_a', keyId: 'key_a', name: 'mine', filters: { side: 'BUY' }, createdAt: START };
    for (const alert of ALERTS) await database.alerts.append(alert);
    await database.presets.insert(preset, 20);
    await database.webhooks.insert({ ...WEBHOOK, ...NEW }, 20);
    await database.webhooks.insert({ ...WEBHOOK, ...NEW, id: 'wh_b', categories: null, minScore: null }, 20);
    await database.secrets.getOrCreate('SECRET_KEY', 'kept');
    await database.close();
    await bringBack(url, 2);

    const { alerts, presets, webhooks, secrets, deliveries, chat } = await fixture.another();

    expect(await alerts.after(0, 10)).toStrictEqual(ALERTS);
    expect(await presets.listByKey('key_a')).toStrictEqual([preset]);
    expect(await secrets.getOrCreate('SECRET_KEY', 'another')).toBe('kept');
    expect(await webhooks.listByKey('key_a')).toStrictEqual([
      { ...WEBHOOK, ...NEW },
      { ...WEBHOOK, ...NEW, id: 'wh_b', categories: null, minScore: null },
    ]);
    expect(await webhooks.active()).toHaveLength(2);
    const row = { id: 'msg_1_a', webhookId: 'wh_a', alertId: 1, state: 'pending', createdAt: START } as const;
    const delivery = { ...row, finishedAt: null, result: null };
    expect(await deliveries.add([delivery, delivery])).toEqual([delivery]);
    expect(await deliveries.cursor()).toBeNull();
    expect(await chat.due({ lane: 'private', now: START, limit: 10 })).toEqual([]);
  });
});

const V3_KEY = {
  id: 'key_a',
  lookup: 'abcdefghij',
  hash: 'hash',
  name: 'desk',
  tier: 'pro',
  createdAt: START,
  trialEndsAt: START + 1,
  revokedAt: null,
} as const;

onEachDatabase('a database of version 3', (fixture) => {
  test('is brought forward with all it holds: keys work as before, and may be rotated and given to customers', async () => {
    const { database, url } = fixture;
    await database.keys.insert({ ...V3_KEY, ...PLAIN_KEY });
    await database.keys.insert({ ...V3_KEY, ...PLAIN_KEY, id: 'key_b', lookup: 'other', trialEndsAt: null });
    await database.webhooks.insert({ ...WEBHOOK, ...NEW }, 20);
    await database.close();
    await bringBack(url, 3);

    const { keys, webhooks, customers } = await fixture.another();

    expect(await keys.byLookup(V3_KEY.lookup)).toStrictEqual({ ...V3_KEY, ...PLAIN_KEY });
    expect(await keys.list()).toHaveLength(2);
    expect(await webhooks.listByKey('key_a')).toStrictEqual([{ ...WEBHOOK, ...NEW }]);
    const handover = { request: 'tap', isShown: false };
    const change = { lookup: 'klmnopqrst', hash: 'new', previous: null, handover };
    expect(await keys.rotate('key_a', { from: V3_KEY.lookup, ...change })).toBe('rotated');
    const own = { ...V3_KEY, ...PLAIN_KEY, id: 'key_c', lookup: 'third', customerId: 'cus_a' };
    expect(await keys.insertWithin(own, 1)).toBe('inserted');
    expect(await customers.count(0)).toEqual({ total: 0, new: 0 });
  });
});

onEachDatabase('a database of version 5', (fixture) => {
  test('is brought forward: a post from before is a thread of its own, to which newer alerts are added', async () => {
    const { chat } = fixture.database;
    const result: NewChatMessage = {
      id: 'result:1:1@telegram',
      recipient: 'channel:telegram',
      kind: 'alert_result',
      facts: { alertId: 1, threadId: 1 },
      createdAt: START,
      dueAt: START,
    };
    await chat.add([postOf(1), postOf(2, { channel: 'discord' }), result, noteFor('customer:cus_a')]);
    await chat.claim('alert:1@telegram', { owner: 'a', at: START });
    await chat.finish('alert:1@telegram', 'a', { state: 'sent', place: 'm1', at: START });
    const before = [await chat.byId('alert:1@telegram'), await chat.byId('result:1:1@telegram')];
    await fixture.database.close();
    await bringBackToFifth(fixture.url);

    const migrated = (await fixture.another()).chat;

    expect(await migrated.postsOfThread({ channel: 'telegram', threadId: 1 })).toStrictEqual([before[0]]);
    expect(await migrated.postsOfThread({ channel: 'discord', threadId: 2 })).toHaveLength(1);
    expect(await migrated.byId('result:1:1@telegram')).toStrictEqual(before[1]);
    await migrated.add([postOf(3, { threadId: 1 })]);
    expect(await migrated.postsOfThread({ channel: 'telegram', threadId: 1 })).toHaveLength(2);
  });
});

onEachDatabase('a database of version 6', (fixture) => {
  test('is brought forward: its snapshot is read as before, with its chunks as one set', async () => {
    const { ingest } = fixture.database;
    const lease = await ingest.acquire({ owner: 'a', now: 0, ttlMs: 1, isGone: () => false });
    if (lease === null) throw new Error('no lease');
    const written = { source: 'tail:a.$b', checkpoint: { offset: 7 }, chunks: ['one', 'two'] };
    const begun = { source: 'tail:c', checkpoint: { offset: 0 }, chunks: null };
    await writeWhole(ingest, lease, written);
    await writeWhole(ingest, lease, begun);
    await fixture.database.close();
    await bringBackToSixth(fixture.url);

    const migrated = (await fixture.another()).ingest;

    expect(await readWhole(migrated, written.source)).toStrictEqual(written);
    expect(await readWhole(migrated, begun.source)).toStrictEqual(begun);
    const next = await migrated.acquire({ owner: 'b', now: 2, ttlMs: 1, isGone: () => false });
    if (next === null) throw new Error('no lease');
    expect(await writeWhole(migrated, next, { ...written, chunks: ['new'] })).toBe(true);
    expect(await migrated.dropChunks(next, written.source, 10)).toBe(0);
    expect(await readWhole(migrated, written.source)).toStrictEqual({ ...written, chunks: ['new'] });
  });
});

onEachDatabase('a database of version 7', (fixture) => {
  test('is brought forward: alerts and outcomes from before have no entry in the log, which begins empty', async () => {
    const { database, url } = fixture;
    const outcome = { outcomes: ['Yes', 'No'], payouts: [1, 0], resolved: 1, won: 1 };
    const before = { marketId: 'a', seq: 1, ...outcome };
    for (const alert of ALERTS) await database.alerts.append(alert);
    await database.resolutions.put(before);
    await database.close();
    await bringBackToSeventh(url);

    const { alerts, resolutions, log, observations, statements } = await fixture.another();

    expect(await alerts.after(0, 10)).toStrictEqual(ALERTS);
    expect(await resolutions.after(0, 10)).toStrictEqual([before]);
    expect(await log.last()).toBeNull();
    expect(await observations.open({ limit: 1 })).toEqual([]);
    expect(await statements.after(0, 1)).toEqual([]);
    const head = { sequence: 1, hash: 'ab'.repeat(32) };
    const body = { outcome };
    const entry = { ...head, at: START, kind: 'outcome', subject: 'market:a', previous: '', body } as const;
    expect(await log.append(entry)).toBe('appended');
    await resolutions.put({ ...before, seq: 2, log: { ...head, at: START } });
    expect(await resolutions.get('a')).toStrictEqual({ ...before, seq: 2, log: { ...head, at: START } });
    await alerts.append(alertOf({ id: 4, log: head }));
    expect(await alerts.last()).toStrictEqual(alertOf({ id: 4, log: head }));
  });
});

onEachDatabase('a database of version 8', (fixture) => {
  test('is brought forward: no request of an operator waits, and no alarm is raised', async () => {
    const { database, url } = fixture;
    for (const alert of ALERTS) await database.alerts.append(alert);
    await database.close();
    await bringBackToEighth(url);

    const { alerts, operatorAlarms, operatorRequests } = await fixture.another();

    expect(await alerts.after(0, 10)).toStrictEqual(ALERTS);
    expect(await operatorAlarms.list()).toEqual([]);
    expect(await operatorRequests.waiting({ needs: 'bots', since: 0, limit: 10 })).toEqual([]);
  });
});
