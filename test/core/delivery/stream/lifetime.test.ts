import { describe, expect, test, vi } from 'vitest';
import { CLOSE_CODES, RECONNECT_RULE } from '../../../../src/core/delivery/stream/close-codes.ts';
import { StreamHub } from '../../../../src/core/delivery/stream/stream-hub.ts';
import { alertOf } from '../../../support/alerts.ts';
import { alertsUpTo, openStreamFixture, settle } from '../../../support/stream-fixture.ts';

const jsonPing = (length: number) => `{"type":"ping","x":"${'x'.repeat(length - 22)}"}`;
const PINGS = ['ping', 'ping\n', '{"type":"ping"}', ' {"id":1,"type":"ping"} ', jsonPing(1_000)];
const OTHER_MESSAGES = [
  'PING',
  'pong',
  '',
  '{',
  'null',
  '[]',
  '{"type":"pong"}',
  '"ping"',
  jsonPing(1_001),
  null,
];
const OUTCOME = new TextEncoder().encode('{"type":"outcome"}');

test('after 4408 and 4409 a client reconnects; every reason fits a close frame', () => {
  expect(RECONNECT_RULE).toBe(
    'After 4408 and 4409 reconnect with since_id; after any other code from 4400 to 4499 do not reconnect unchanged.',
  );
  for (const { reason } of Object.values(CLOSE_CODES)) expect(Buffer.byteLength(reason)).toBeLessThan(124);
});

describe('contract, WebSocket messages: ping', () => {
  test.each([
    ...PINGS.map((text) => [text, 'pong'] as const),
    ...OTHER_MESSAGES.map((text) => [text, 'error'] as const),
  ])('the message %j is answered with %s immediately, and the socket stays', async (text, type) => {
    const { connect } = await openStreamFixture();
    const { socket, session } = connect();
    session.message(text);
    expect(socket.frames.map((frame) => frame.type)).toEqual(['connected', type]);
    expect(socket.closed).toBeNull();
  });

  test('no ping in any rolling 30 seconds ends a connection with 4408; one every 25 seconds keeps it', async () => {
    const { connect, clock, ended } = await openStreamFixture();
    const [silent, steady, stopping] = [connect(), connect(), connect()];
    await settle(1);
    for (let second = 1; second <= 90; second += 1) {
      await clock.advance(1_000);
      if (second % 25 === 0) steady.session.message('ping');
      if (second === 20) stopping.session.message('ping');
      silent.session.controlFrame();
      if (second === 10) silent.session.message('hello');
      expect(silent.socket.closed !== null).toBe(second > 30);
      expect(stopping.socket.closed !== null).toBe(second > 50);
    }
    expect(silent.socket.closed?.code).toBe(4408);
    expect(silent.socket.closed?.reason).toMatch(/ping/);
    expect(steady.socket.closed).toBeNull();
    expect(ended).toEqual(['missedPing', 'missedPing']);
  });

  test('a ping just after a sweep counts for whole 30 seconds', async () => {
    const { connect, clock } = await openStreamFixture();
    const { socket, session } = connect();
    await clock.advance(900);
    session.message('ping');
    await clock.advance(30_000);
    expect(socket.closed).toBeNull();
    await clock.advance(1_000);
    expect(socket.closed?.code).toBe(4408);
  });
});

describe('issue: unknown or huge client messages are limited', () => {
  test('10 messages in a second are heard, the next ends the connection with 4429; pings of the protocol count', async () => {
    const { connect } = await openStreamFixture();
    const { socket, session } = connect();
    for (let count = 0; count < 5; count += 1) {
      session.message('ping');
      session.controlFrame();
    }
    expect(socket.closed).toBeNull();
    session.controlFrame();
    expect(socket.closed?.code).toBe(4429);
    const { length } = socket.frames;
    session.message('ping');
    expect(socket.frames).toHaveLength(length);
  });

  test('10 messages in every second are accepted indefinitely', async () => {
    const { connect, clock } = await openStreamFixture();
    const { socket, session } = connect();
    for (let second = 0; second < 40; second += 1) {
      for (let count = 0; count < 10; count += 1) session.message('ping');
      await clock.advance(1_000);
    }
    expect(socket.closed).toBeNull();
  });
});

describe('too slow', () => {
  test('answers that are not read end with 4409 at 4 MB, however quiet the market is', async () => {
    const { connect } = await openStreamFixture();
    const { socket, session } = connect({ isSlow: true });
    socket.unsent = 4_000_000;
    session.message('ping');
    expect(socket.closed).toBeNull();
    session.message('ping');
    expect(socket.closed?.code).toBe(4409);
  });

  test('an outcome reaches a client that is behind with alerts, and ends one that does not read at all', async () => {
    const { hub, connect, ended } = await openStreamFixture();
    const behind = connect({ events: ['outcome'], isSlow: true }).socket;
    const stuck = connect({ events: ['outcome'], isSlow: true }).socket;
    const other = connect().socket;
    behind.unsent = 2_000_000;
    stuck.unsent = 4_000_000;

    hub.sendEvent(hub.clientsOf('outcome'), OUTCOME);

    const types = [behind, stuck, other].map(({ frames }) => frames.map(({ type }) => type));
    expect(types).toEqual([['connected', 'outcome'], ['connected', 'outcome'], ['connected']]);
    expect([behind.closed, stuck.closed?.code, ended]).toEqual([null, 4409, ['tooSlow']]);
    hub.sendEvent([], OUTCOME);
    expect(hub.clientsOf('outcome')).toHaveLength(1);
  });

  test('a client that reads nothing holds little more than 1 MB, and is ended with 4409 after 10 s', async () => {
    const fixture = await openStreamFixture();
    const { socket } = fixture.connect({ isSlow: true });
    const healthy = fixture.connect().socket;
    fixture.publish(...alertsUpTo(3_000));
    await settle(200);
    expect(socket.unsent).toBeGreaterThan(1_000_000);
    expect(socket.unsent).toBeLessThan(1_010_000);
    await fixture.clock.advance(9_999);
    expect(socket.closed).toBeNull();
    await fixture.clock.advance(1);
    expect(socket.closed?.code).toBe(4409);
    expect(healthy.ids).toHaveLength(3_000);
  });

  test('a full client that has left is not looked at any more', async () => {
    const { connect, clock } = await openStreamFixture(1_000);
    const { socket, session } = connect({ since: 0, isSlow: true });
    connect();
    await settle();
    session.gone('client');
    const unsentBytes = vi.spyOn(socket, 'unsentBytes');
    await clock.advance(2_000);
    expect(unsentBytes).not.toHaveBeenCalled();
  });

  test('room without an empty buffer is enough to be sent more', async () => {
    const fixture = await openStreamFixture(2_000);
    const { socket, session } = fixture.connect({ since: 0, isSlow: true });
    for (let second = 0; second < 60; second += 1) {
      await settle(20);
      socket.unsent -= 100_000;
      if (second % 20 === 0) session.message('ping');
      await fixture.clock.advance(1_000);
    }
    expect(socket.closed).toBeNull();
    expect(socket.ids).toEqual(fixture.ledger.map(({ id }) => id));
    await settle();
    // It was full long ago: its ten seconds begin anew.
    socket.unsent = 1_000_001;
    await fixture.clock.advance(1_000);
    expect(socket.closed).toBeNull();
  });

  test('a buffer of exactly 1 MB has room for one more alert', async () => {
    const { connect, clock } = await openStreamFixture(1_000);
    const { socket } = connect({ since: 0, isSlow: true });
    await settle();
    const { length } = socket.ids;
    socket.unsent = 1_000_000;
    await clock.advance(1_000);
    await settle();
    expect(socket.ids).toHaveLength(length + 1);
  });
});

describe('server going', () => {
  test('a hub accepts sockets from its opening on', async () => {
    expect(new StreamHub({ frames: {} } as never).isOpen).toBe(false);
    expect((await openStreamFixture()).hub.isOpen).toBe(true);
  });

  test('every socket is ended with 1001, a few at a time, within 3 s', async () => {
    const { connect, clock, hub } = await openStreamFixture();
    const sockets = Array.from({ length: 2_000 }, () => connect().socket);
    const closing = hub.close();
    expect(hub.isOpen).toBe(false);
    const open = () => sockets.filter(({ closed }) => closed === null).length;
    const steps: number[] = [];
    for (let step = 0; step < 60 && open() > 0; step += 1) {
      const before = open();
      await clock.advance(50);
      steps.push(before - open());
    }
    await closing;
    expect(open()).toBe(0);
    expect(sockets.every(({ closed }) => closed?.code === 1001)).toBe(true);
    expect(Math.max(...steps)).toBeLessThanOrEqual(2_000 / 50);
    expect(clock.sleepers).toBe(0);
  });

  test('sockets end in random order; clients that leave meanwhile are not waited for, and not closed again', async () => {
    const { connect, hub, clock, ended, ranks } = await openStreamFixture();
    const clients = Array.from({ length: 30 }, () => connect());
    ranks.push(...clients.map((_, index) => (index * 7) % 30));
    const closing = hub.close();
    for (const { session } of clients) session.gone('client');
    await closing;
    expect(ended.filter((end) => end === 'client')).toHaveLength(20);
    // Their sockets have no use for a close.
    expect(clients.map(({ socket }) => socket.closed !== null)).toEqual(
      Array.from({ length: 30 }, (_, index) => (index * 7) % 30 < 10),
    );
    expect(clock.sleepers).toBe(0);
  });

  test('nothing is sent or read after the end', async () => {
    const fixture = await openStreamFixture();
    const { socket } = fixture.connect();
    await fixture.hub.close();
    fixture.publish(alertOf({ id: 1 }));
    await settle();
    expect([socket.ids, socket.closed?.code]).toEqual([[], 1001]);
    expect(fixture.clock.sleepers).toBe(0);
  });
});
