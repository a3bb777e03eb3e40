import { expect, test, vi } from 'vitest';
import type { Database } from '../../../src/core/database.ts';
import {
  type OperatorRequest,
  RequestSender,
  serveRequests,
} from '../../../src/core/operations/operator-request.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { onEachDatabase, onSqlite } from '../../infra/database/each-database.ts';
import { createFakeClock, type FakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { until } from '../../support/until.ts';

const WITHDRAW = { command: 'withdraw', args: '7', actor: 'terminal:ann' } as const;
const DONE = { state: 'done', answer: 'Alert 7: withdrawn.' } as const;

type Obey = Parameters<typeof serveRequests>[0]['obey'];

function openFixture(database: Database) {
  const clock = createFakeClock(START);
  const { operatorRequests: requests, worker } = database;
  const progress: string[] = [];
  const onProgress = (words: string) => void progress.push(words);
  const sender = new RequestSender({ requests, worker, clock, random: secureRandom, onProgress });
  const report = (at = clock.now()) =>
    worker.put({ owner: 'one', at, address: 'http://localhost', checks: {} });
  const stop = new AbortController();
  const serve = (obey: Obey, store = requests) =>
    serveRequests({ requests: store, obey, clock, logger: silentLogger }, stop.signal);
  const serveOnce = async (obey: Obey) => {
    const served = serve(obey);
    await until(() => clock.sleepers > 0);
    stop.abort();
    await served;
  };
  return { clock, requests, sender, progress, report, serve, serveOnce, stop };
}

/**
 * Moves the clock, whenever as many loops sleep, until the promise is settled. Returns the milliseconds that this took.
 */
async function settledAfter(clock: FakeClock, promise: Promise<unknown>, loops: number): Promise<number> {
  const startedAt = clock.now();
  let isSettled = false;
  void promise.finally(() => {
    isSettled = true;
  });
  for (;;) {
    await until(() => isSettled || clock.sleepers === loops);
    if (isSettled) return clock.now() - startedAt;
    await clock.advance(50);
  }
}

onEachDatabase('a command that the worker carries out', (fixture) => {
  test('is taken and answered within 2 seconds, once, also by two processes', async () => {
    const { clock, sender, progress, report, serve, stop } = openFixture(fixture.database);
    const obey = vi.fn<Obey>(async () => DONE);
    await report();
    const served = [serve(obey), serve(obey, (await fixture.another()).operatorRequests)];

    const outcome = sender.send(WITHDRAW);
    expect(await settledAfter(clock, outcome, 3)).toBeLessThan(2_000);
    stop.abort();
    await Promise.all(served);

    expect(await outcome).toEqual({ outcome: 'done', answer: DONE.answer });
    expect(obey.mock.calls.map(([{ command, args, actor }]) => [command, args, actor])).toEqual([
      ['withdraw', '7', 'terminal:ann'],
    ]);
    expect(progress[0]).toContain('Sent to the running service');
  });

  test('is not sent where no worker lives, and nothing is stored', async () => {
    const { clock, sender, report, requests } = openFixture(fixture.database);
    expect(await sender.send(WITHDRAW)).toEqual({ outcome: 'no_worker' });
    await report(clock.now() - 30_001);
    expect(await sender.send(WITHDRAW)).toEqual({ outcome: 'no_worker' });
    expect(await requests.waiting({ since: 0, limit: 10 })).toEqual([]);
  });

  test('that is not taken within 30 seconds is cancelled, and not carried out later', async () => {
    const { clock, sender, report, serveOnce } = openFixture(fixture.database);
    const obey = vi.fn<Obey>(async () => DONE);
    await report();

    const outcome = sender.send(WITHDRAW);
    expect(await settledAfter(clock, outcome, 1)).toBe(30_000);
    await serveOnce(obey);

    expect(await outcome).toEqual({ outcome: 'not_taken' });
    expect(obey).not.toHaveBeenCalled();
  });

  test('that is taken and does not end within 30 seconds is no failure: its outcome is not known yet', async () => {
    const { clock, sender, progress, report, serve, stop } = openFixture(fixture.database);
    const work = Promise.withResolvers<typeof DONE>();
    await report();

    const outcome = sender.send(WITHDRAW);
    await clock.asleep();
    const served = serve(() => work.promise);
    await settledAfter(clock, outcome, 1);
    work.resolve(DONE);
    stop.abort();
    await served;

    expect(await outcome).toEqual({ outcome: 'no_answer' });
    expect(progress.at(-1)).toContain('It was taken');
  });

  test('of a keyboard that died is carried out up to 5 minutes later, and then never', async () => {
    const { requests, serveOnce } = openFixture(fixture.database);
    const obey = vi.fn<Obey>(async () => DONE);
    await requests.add({ ...WITHDRAW, id: 'req_old', at: START - 300_000 });
    await requests.add({ ...WITHDRAW, id: 'req_new', at: START - 299_999 });

    await serveOnce(obey);

    expect(obey.mock.calls.map(([{ id }]) => id)).toEqual(['req_new']);
  });

  test('that fails is answered as refused, and the next one is carried out', async () => {
    const { requests, serveOnce } = openFixture(fixture.database);
    const obey = async ({ id }: OperatorRequest) => {
      if (id === 'req_1') throw new Error('the platform is away');
      return DONE;
    };
    await requests.add({ ...WITHDRAW, id: 'req_1', at: START - 1 });
    await requests.add({ ...WITHDRAW, id: 'req_2', at: START });

    await serveOnce(obey);

    expect(await requests.get('req_1')).toMatchObject({
      state: 'refused',
      answer: expect.stringContaining('That failed'),
    });
    expect(await requests.get('req_2')).toMatchObject(DONE);
  });

  test('whose process died in the middle is not repeated by the next process', async () => {
    const { requests, serveOnce } = openFixture(fixture.database);
    const obey = vi.fn<Obey>(async () => DONE);
    await requests.add({ ...WITHDRAW, id: 'req_1', at: START });
    await requests.take('req_1');

    await serveOnce(obey);

    expect(obey).not.toHaveBeenCalled();
    expect(await requests.get('req_1')).toMatchObject({ state: 'running', answer: null });
  });
});

const REQUEST = {
  id: 'req_1',
  command: 'withdraw',
  args: '7 wrong market',
  actor: 'terminal:ann',
  at: START,
} as const;

onSqlite('a stored request', (fixture) => {
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
});

onEachDatabase('a stored request', (fixture) => {
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
    expect(await requests.prune(START + 1)).toBe(1);
    expect([await requests.get('req_1'), (await requests.get('req_2'))?.id]).toEqual([null, 'req_2']);
  });
});
