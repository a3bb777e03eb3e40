import { expect, test } from 'vitest';
import type { OperatorAlarm } from '../../../src/core/operations/operator-alarm.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('the report of the worker', (fixture) => {
  test('is the last one, and is taken back by its own worker alone', async () => {
    const { worker } = fixture.database;
    const report = { owner: 'host/1', at: START, address: 'http://localhost:8080', checks: { disk: {} } };
    expect(await worker.get()).toBeNull();
    await worker.put({ ...report, owner: 'host/0' });
    await worker.put(report);

    await worker.remove('host/0');
    expect(await worker.get()).toStrictEqual(report);
    await worker.remove('host/1');
    expect(await worker.get()).toBeNull();
  });
});

const ENTRY = {
  at: START,
  actor: 'telegram:123',
  command: 'extend',
  args: 'cus_a 30',
  outcome: 'done',
} as const;

onEachDatabase('audit log', (fixture) => {
  test('entries are numbered 1, 2, 3 … as written, and listed newest first, a page at a time', async () => {
    const { audit } = fixture.database;
    expect(await audit.list({ limit: 10 })).toEqual([]);

    for (const command of ['ban', 'unban', 'revoke']) await audit.append({ ...ENTRY, command });

    expect(await audit.list({ limit: 2 })).toStrictEqual([
      { seq: 3, ...ENTRY, command: 'revoke' },
      { seq: 2, ...ENTRY, command: 'unban' },
    ]);
    expect(await audit.list({ limit: 10, before: 2 })).toStrictEqual([{ seq: 1, ...ENTRY, command: 'ban' }]);
    expect(await audit.list({ limit: 10, before: 1 })).toEqual([]);
  });
});

const REQUEST = {
  id: 'req_1',
  command: 'withdraw',
  args: '7 wrong market',
  actor: 'terminal:ann',
  at: START,
} as const;
const ALARM: OperatorAlarm = {
  name: 'feed_blind',
  isRaised: true,
  sentence: 'The feed sees no trades.',
  since: START,
  until: null,
  raises: 1,
  isReported: false,
};

onEachDatabase('the requests of operators', (fixture) => {
  test('another process finds a request that waits, not older than asked, oldest first', async () => {
    const { operatorRequests: requests } = fixture.database;
    await requests.add({ ...REQUEST, id: 'req_0', at: START + 2 });
    await requests.add(REQUEST);
    await requests.add({ ...REQUEST, id: 'req_3', at: START - 1 });

    const { operatorRequests: others } = await fixture.another();
    const found = await others.waiting({ since: START, limit: 10 });

    expect(found.map(({ id }) => id)).toEqual(['req_1', 'req_0']);
    expect(found[0]).toEqual({ ...REQUEST, state: 'waiting', answer: null });
  });

  test('of two processes that take a request one gets it; its answer or a cancellation ends it, and old ones are removed', async () => {
    const stores = [fixture.database.operatorRequests, (await fixture.another()).operatorRequests];
    const [requests] = stores as [(typeof stores)[0]];
    await requests.add(REQUEST);

    const taken = await Promise.all(stores.map((store) => store.take('req_1')));
    expect(taken.toSorted()).toEqual([false, true]);
    expect(await requests.cancel('req_1')).toBe(false);

    await requests.answer('req_1', { state: 'done', answer: 'Alert 7: withdrawn.' });
    await requests.answer('req_1', { state: 'refused', answer: 'too late' });
    expect(await requests.get('req_1')).toMatchObject({ state: 'done', answer: 'Alert 7: withdrawn.' });
    await requests.add({ ...REQUEST, id: 'req_2', at: START + 1 });
    expect([await requests.cancel('req_2'), await requests.take('req_2')]).toEqual([true, false]);
    expect(await requests.waiting({ since: 0, limit: 10 })).toEqual([]);
    await requests.prune(START + 1);
    expect([await requests.get('req_1'), (await requests.get('req_2'))?.id]).toEqual([null, 'req_2']);
  });
});

onEachDatabase('the alarms of operators', (fixture) => {
  test('of each alarm every process sees the last state', async () => {
    const { operatorAlarms: alarms } = fixture.database;
    const over = { ...ALARM, isRaised: false, until: START + 60_000, isReported: true };
    await alarms.put(ALARM);
    await alarms.put({ ...ALARM, name: 'disk_low' });
    await alarms.put(over);

    expect(await (await fixture.another()).operatorAlarms.list()).toStrictEqual([
      { ...ALARM, name: 'disk_low' },
      over,
    ]);
  });
});
