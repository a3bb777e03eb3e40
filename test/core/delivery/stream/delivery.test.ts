import { describe, expect, test } from 'vitest';
import { alertOf } from '../../../support/alerts.ts';
import { FRAME_MS, openStreamFixture, settle } from '../../../support/stream-fixture.ts';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const SLICE_FRAMES = 3 / FRAME_MS;

describe('contract, WebSocket messages: connected, then each live alert', () => {
  test('an alert is framed once for all clients, and not at all for none', async () => {
    const fixture = await openStreamFixture();
    fixture.publish(alertOf({ id: 1 }));
    await settle();
    expect(fixture.counts.framed).toBe(0);
    const clients = Array.from({ length: 50 }, () => fixture.connect());
    fixture.publish(alertOf({ id: 2 }));
    await settle();
    expect(fixture.counts).toMatchObject({ framed: 1, sent: 50 });
    expect(clients.map(({ socket }) => socket.ids)).toEqual(clients.map(() => [2]));
  });

  test('several alerts are written to a socket together, one alone immediately', async () => {
    const fixture = await openStreamFixture(3);
    const { socket } = fixture.connect({ since: 0 });
    const calls: string[] = [];
    for (const name of ['hold', 'send', 'release'] as const)
      Object.assign(socket, { [name]: () => void calls.push(name) });

    await settle();
    expect(calls.splice(0)).toEqual(['hold', 'send', 'send', 'send', 'release']);

    fixture.publish(alertOf({ id: 4 }));
    await settle();
    expect(calls).toEqual(['send']);
  });

  test('history: alerts of a tape’s history are sent neither live nor as missed', async () => {
    const fixture = await openStreamFixture([alertOf({ id: 1, isHistory: true }), alertOf({ id: 2 })]);
    const { socket } = fixture.connect({ since: 0 });
    await settle();
    fixture.publish(alertOf({ id: 3, isHistory: true }), alertOf({ id: 4 }));
    await settle();
    expect(socket.ids).toEqual([2, 4]);
  });

  test('the loop has its turn after about 3 ms, also when few clients have missed many', async () => {
    const fixture = await openStreamFixture(900);
    const clients = range(1, 20).map(() => fixture.connect({ since: 500 }));
    const steps: number[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      const { sent } = fixture.counts;
      await settle(1);
      steps.push(fixture.counts.sent - sent);
    }
    expect(Math.max(...steps)).toBeLessThanOrEqual(SLICE_FRAMES + 64);
    expect(clients.map(({ socket }) => socket.ids)).toEqual(clients.map(() => range(501, 900)));
  });

  test('the loop has its turn after about 3 ms, however many clients there are', async () => {
    const fixture = await openStreamFixture();
    const clients = Array.from({ length: 1_200 }, () => fixture.connect());
    await settle();
    fixture.publish(alertOf({ id: 1 }));
    await Promise.resolve();
    const served = () => clients.filter(({ socket }) => socket.ids.length === 1).length;
    const steps = [served()];
    while (served() < 1_200) {
      await settle(1);
      steps.push(served());
    }
    const gains = steps.map((count, index) => count - (steps[index - 1] ?? 0));
    expect(Math.max(...gains)).toBeLessThan(SLICE_FRAMES + 16);
    expect(steps.length).toBeLessThanOrEqual(Math.ceil(1_200 / SLICE_FRAMES));
  });
});

describe('socket extras: since_id', () => {
  test.each([
    ['1,000 alerts, all that the ring has,', 1_500, 500],
    ['50 alerts', 900, 850],
    ['nothing', 900, 900],
  ])(
    'a client that missed %s is sent them from the ring, without asking the store',
    async (_, newest, since) => {
      const fixture = await openStreamFixture(newest);
      const { socket } = fixture.connect({ since });
      const { reads } = fixture.counts;
      await settle();
      expect(socket.ids).toEqual(range(since + 1, newest));
      expect(fixture.counts.reads).toBe(reads);
    },
  );

  test('beyond 10,000 missed alerts a gap is sent right after connected, and the newest 10,000 follow', async () => {
    const fixture = await openStreamFixture(10_500);
    const [more, just] = [20, 500].map((since) => fixture.connect({ since }).socket);
    await settle(500);
    expect(more?.frames[1]).toEqual({ type: 'gap', from: 21, to: 500 });
    expect(just?.frames.filter(({ type }) => type === 'gap')).toEqual([]);
    for (const socket of [more, just]) expect(socket?.ids).toEqual(range(501, 10_500));
  });

  test('an id beyond the newest counts as the newest, unless another process knows it already', async () => {
    const fixture = await openStreamFixture(5);
    fixture.ledger.push(alertOf({ id: 6 }), alertOf({ id: 7 }));
    const [unknown, known] = [1_000_000, 7].map((since) => fixture.connect({ since }).socket);
    await settle();
    fixture.publish(alertOf({ id: 8 }));
    await settle();
    expect([unknown?.ids, known?.ids]).toEqual([[6, 7, 8], [8]]);
  });

  test('of clients that wait for a slow store four are read for, however many come back', async () => {
    const fixture = await openStreamFixture(1_200);
    fixture.faults.isHanging = true;
    const { reads } = fixture.counts;
    for (let count = 0; count < 20; count += 1) fixture.connect({ since: 0 });
    await settle(40);
    expect(fixture.counts.reads - reads).toBe(4);
  });

  test('a store that answers immediately leaves the event loop a turn after every page of 100', async () => {
    const fixture = await openStreamFixture(1_500);
    fixture.faults.isAtOnce = true;
    for (let count = 0; count < 50; count += 1) fixture.connect({ since: 0, filter: { minScore: 100 } });
    for (let turn = 0; turn < 50; turn += 1) {
      const { reads } = fixture.counts;
      await settle(1);
      expect(fixture.counts.reads - reads).toBeLessThanOrEqual(1);
    }
    const { socket } = fixture.connect({ since: 0 });
    await settle(1_000);
    expect(socket.ids).toEqual(range(1, 1_500));
  });

  test('clients that reconnect together share the frames of what they missed', async () => {
    const fixture = await openStreamFixture(3_000);
    const sockets = range(1, 20).map(() => fixture.connect({ since: 1_000 }).socket);
    await settle(2_000);
    expect(sockets.map((socket) => socket.ids)).toEqual(sockets.map(() => range(1_001, 3_000)));
    expect(fixture.counts.framed).toBe(2_000);
  });

  test('reads that never end are given up, and tried again', async () => {
    const fixture = await openStreamFixture(1_200);
    fixture.faults.isHanging = true;
    const sockets = range(1, 8).map(() => fixture.connect({ since: 0 }).socket);
    await settle();
    fixture.faults.isHanging = false;
    await fixture.clock.advance(12_000);
    await settle(100);
    expect(sockets.map((socket) => socket.ids.length)).toEqual(sockets.map(() => 1_200));
  });

  test('a client that leaves before it is read for costs no read, and one that leaves meanwhile no further read or frame', async () => {
    const { connect, counts, ended } = await openStreamFixture(9_000);
    await settle();
    const { reads } = counts;
    connect({ since: 1_000_000 }).session.gone('client');
    await settle();
    expect(counts.reads).toBe(reads);
    const { session } = connect({ since: 0 });
    while (counts.reads === reads) await settle(1);
    session.gone('client');
    await settle();
    expect(counts).toMatchObject({ reads: reads + 1, framed: 0 });
    expect(ended).toEqual(['client', 'client']);
  });
});
