import { afterEach, describe, expect, test, vi } from 'vitest';
import type { WebSocketLike } from '../../clients/typescript/src/connection.ts';
import { startStandIn } from '../support/stream-stand-in.ts';
import { alert, connected, FAKED, follow, until } from './follow-fixture.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('reconnecting', () => {
  test('waits 1 second, doubles, caps at 30, and restarts on success (contract, WebSocket messages)', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const standIn = await startStandIn();
    standIn.handshakeStatus = 503;
    let handshakes = 0;
    standIn.onHandshake = () => {
      handshakes += 1;
      if (handshakes === 8) standIn.handshakeStatus = null;
    };
    const { waits, got } = follow(standIn, { sinceId: 4 });
    const first = await connected(standIn);
    first.send(alert(5));
    await until(() => got.length === 1);
    expect(waits.splice(0)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    first.drop();
    await connected(standIn);
    expect(waits).toEqual([1_000]);
  });

  test('a socket that fires only error, as Node 22 does after a failed handshake, ends immediately, and once', async () => {
    vi.useFakeTimers({ toFake: [...FAKED] });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const standIn = await startStandIn();
    standIn.restStatus = 503;
    let made = 0;
    class FailingSocket implements WebSocketLike {
      onmessage = null;
      onclose: WebSocketLike['onclose'] = null;
      onerror: WebSocketLike['onerror'] = null;
      constructor() {
        made += 1;
        setImmediate(() => {
          this.onerror?.({});
          this.onerror?.({});
          if (made === 2) this.onclose?.({ code: 1006, reason: '' });
        });
      }
      send(): void {}
      close(): void {}
    }
    const { waits } = follow(standIn, { sinceId: 4, webSocket: FailingSocket });
    await until(() => waits.length >= 3);
    expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  });

  test('an open socket that never says connected is no success, and is left after 10 seconds', async () => {
    vi.useFakeTimers({ toFake: [...FAKED] });
    const standIn = await startStandIn();
    const { waits, statuses } = follow(standIn);
    const silent = await standIn.connection();
    silent.send({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await silent.closed).toBe(1000);
    await standIn.connection();
    expect(waits).toHaveLength(1);
    expect(statuses).not.toContainEqual(expect.objectContaining({ state: 'connected' }));
  });

  test('continues after the last id it has, and drops what it had before', async () => {
    const standIn = await startStandIn();
    const { got } = follow(standIn, {
      sinceId: 4,
      filters: { min_signal: 70, categories: ['crypto', 'world'] },
    });
    const first = await connected(standIn);
    for (const id of [5, 6]) first.send(alert(id));
    await until(() => got.length === 2);
    first.close(1001);
    const second = await connected(standIn);
    for (const id of [6, 7]) second.send(alert(id));
    await until(() => got.length === 3);
    expect(got).toEqual([5, 6, 7]);
    const query = { api_key: 'sk_live_test', categories: 'crypto,world', min_signal: '70' };
    expect(Object.fromEntries(first.query)).toEqual({ ...query, since_id: '4' });
    expect(Object.fromEntries(second.query)).toEqual({ ...query, since_id: '6' });
  });

  test('without sinceId it asks for the newest id first, so that nothing is missed before the first alert', async () => {
    const standIn = await startStandIn();
    standIn.newestId = 41;
    follow(standIn);
    const first = await connected(standIn);
    first.drop();
    const second = await standIn.connection();
    expect([first.query.get('since_id'), second.query.get('since_id')]).toEqual(['41', '41']);
    expect(standIn.asked).toEqual(['/api/v1/alerts/latest?limit=1']);
  });

  test('a sinceId beyond the newest id does not hide what comes', async () => {
    const standIn = await startStandIn();
    const { got } = follow(standIn, { sinceId: 1_000_000 });
    (await connected(standIn)).send(alert(7));
    await until(() => got.length === 1);
    expect(got).toEqual([7]);
  });

  test.each([1001, 1006, 1011, 4408, 4409])('comes back after %i', async (code) => {
    const standIn = await startStandIn();
    follow(standIn);
    const socket = await connected(standIn);
    if (code === 1006) socket.drop();
    else socket.close(code);
    await standIn.connection();
  });

  test('reconnects only once what it received is passed on, and alerts are passed on one at a time', async () => {
    const standIn = await startStandIn();
    const running: (() => void)[] = [];
    const { statuses } = follow(standIn, { onAlert: () => new Promise((done) => running.push(done)) });
    const socket = await connected(standIn);
    for (const id of [1, 2]) socket.send(alert(id));
    await until(() => running.length === 1);
    socket.drop();
    await socket.closed;
    running[0]?.();
    await until(() => running.length === 2);
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise((next) => setImmediate(next));
    expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'connected']);
    running[1]?.();
    expect((await standIn.connection()).query.get('since_id')).toBe('2');
  });

  test('gives the connection up when 20,000 alerts wait, and takes it up where it stopped', async () => {
    const standIn = await startStandIn();
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    const seen: number[] = [];
    follow(standIn, {
      async onAlert({ id }) {
        await held;
        seen.push(id);
      },
    });
    const first = await connected(standIn);
    for (let id = 1; id <= 20_002; id += 1) first.send({ type: 'alert', data: { id } });
    expect(await first.closed).toBe(1000);
    release();
    expect((await standIn.connection()).query.get('since_id')).toBe('20001');
    expect(seen).toHaveLength(20_001);
  });
});
