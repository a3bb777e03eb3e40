import { afterEach, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import {
  type FollowOptions,
  followAlerts,
  type Gap,
  type StreamAlert,
  StreamRefused,
  type StreamStatus,
} from '../../examples/stream-client.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { alertOf } from '../support/alerts.ts';
import { type StandIn, type StandInSocket, startStandIn } from '../support/stream-stand-in.ts';

const CONNECTED = { type: 'connected', message: 'Send ping.', tier: 'pro' };
const alert = (id: number) => ({ type: 'alert', data: alertView(alertOf({ id })) });
const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Follows a simulator until the test ends; waits between connections are noted and take no time. */
function follow(standIn: StandIn, options: Partial<FollowOptions> = {}) {
  const stop = new AbortController();
  const waits: number[] = [];
  const got: (number | Gap)[] = [];
  const statuses: StreamStatus[] = [];
  const ended = followAlerts({
    url: standIn.url,
    apiKey: 'sk_live_test',
    onAlert: ({ id }) => void got.push(id),
    onGap: (gap) => void got.push(gap),
    onStatus: (status) => statuses.push(status),
    signal: stop.signal,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  ended.catch(() => {});
  onTestFinished(() => stop.abort());
  return { stop, waits, got, statuses, ended };
}

/** Lets sockets do their work until something has happened, also while timers stand still. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((turn) => setImmediate(turn));
}

async function connected(standIn: StandIn): Promise<StandInSocket> {
  const socket = await standIn.connection();
  socket.send(CONNECTED);
  return socket;
}

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

  test('a wait is shortened at random by up to a tenth, and is never above 30 seconds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999_999);
    const standIn = await startStandIn();
    standIn.handshakeStatus = 503;
    const { stop, waits, ended } = follow(standIn, {
      wait: async (ms) => {
        if (waits.push(Math.round(ms)) === 7) stop.abort();
      },
    });
    await ended;
    expect(waits).toEqual([900, 1_800, 3_600, 7_200, 14_400, 27_000, 27_000]);
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
    const { got } = follow(standIn, { sinceId: 4, minSignal: 70, categories: ['crypto', 'world'] });
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
    for (let id = 1; id <= 20_001; id += 1) first.send({ type: 'alert', data: { id } });
    expect(await first.closed).toBe(1000);
    release();
    expect((await standIn.connection()).query.get('since_id')).toBe('20000');
    expect(seen).toHaveLength(20_000);
  });
});

describe('keeping alive', () => {
  test('sends ping every 20 seconds (contract: 20 to 25 are advised), and stays while it is answered', async () => {
    vi.useFakeTimers({ toFake: [...FAKED] });
    const standIn = await startStandIn();
    const { waits, got } = follow(standIn);
    const socket = await connected(standIn);
    const roundTrip = async (id: number) => {
      socket.send(alert(id));
      await until(() => got.includes(id));
    };
    await roundTrip(1);
    for (let round = 1; round <= 4; round += 1) {
      await vi.advanceTimersByTimeAsync(19_999);
      await roundTrip(2 * round);
      expect(socket.received).toHaveLength(round - 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await socket.message()).toBe('ping');
      socket.send({ type: 'pong' });
      await roundTrip(2 * round + 1);
    }
    expect(waits).toEqual([]);
  });

  test('a ping that is not answered within 10 seconds ends the connection', async () => {
    vi.useFakeTimers({ toFake: [...FAKED] });
    const standIn = await startStandIn();
    const { got, statuses } = follow(standIn);
    const socket = await connected(standIn);
    socket.send(alert(1));
    await until(() => got.length === 1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await socket.message()).toBe('ping');
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await standIn.connection()).query.get('since_id')).toBe('1');
    const reason = 'a ping was not answered';
    expect(statuses).toContainEqual({ state: 'waiting', ms: expect.any(Number), reason });
  });
});

describe('ending', () => {
  test.each([
    [4401, /key was revoked or has expired/],
    [4403, /tier of the key has no stream/],
    [4429, /too many messages/],
    [4499, /does not want this client/],
  ])('a close with %i stops it, and says why', async (code, words) => {
    const standIn = await startStandIn();
    const { ended, waits } = follow(standIn);
    (await standIn.connection()).close(code);
    const error = await ended.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StreamRefused);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(waits).toEqual([]);
  });

  test.each([
    ['at the beginning', {}],
    ['at a later handshake', { sinceId: 1 }],
  ])('a key that the service does not know stops it, and says why: %s', async (_when, options) => {
    const standIn = await startStandIn();
    standIn.handshakeStatus = 401;
    standIn.restStatus = 401;
    const { ended } = follow(standIn, options);
    const words = '401: the API key is missing, unknown or revoked.';
    await expect(ended).rejects.toMatchObject({ code: 401, message: words });
  });

  test.each([
    ['it is refused', 200, /handshake refused/],
    ['no process can answer', 503, /service unavailable/],
  ])('a handshake that fails is waited out, and the status says why: %s', async (_why, restStatus, words) => {
    const standIn = await startStandIn();
    Object.assign(standIn, { handshakeStatus: 429, restStatus });
    const { statuses, waits } = follow(standIn, { sinceId: 1 });
    await until(() => waits.length > 0);
    expect(statuses).toContainEqual(expect.objectContaining({ reason: expect.stringMatching(words) }));
  });

  test('a refused handshake with a good key is tried again', async () => {
    const standIn = await startStandIn();
    standIn.handshakeStatus = 429;
    standIn.onHandshake = () => {
      setImmediate(() => {
        standIn.handshakeStatus = null;
      });
    };
    follow(standIn);
    await standIn.connection();
  });

  test('aborting closes with 1000; what waits is not passed on', async () => {
    const standIn = await startStandIn();
    const { got, ended, stop } = follow(standIn, {
      async onAlert({ id }: StreamAlert) {
        got.push(id);
        if (id === 2) stop.abort();
      },
    });
    const socket = await connected(standIn);
    for (const id of [1, 2, 3]) socket.send(alert(id));
    await ended;
    expect(await socket.closed).toBe(1000);
    expect(got).toEqual([1, 2]);
  });

  test.each(['before it begins', 'while it connects', 'while it waits'])(
    'aborting %s ends it',
    async (when) => {
      const standIn = await startStandIn();
      if (when === 'while it waits') standIn.handshakeStatus = 503;
      const stop = new AbortController();
      if (when === 'before it begins') stop.abort();
      const state = when === 'while it waits' ? 'waiting' : 'connecting';
      await followAlerts({
        url: standIn.url,
        apiKey: 'sk_live_test',
        signal: stop.signal,
        onAlert: () => {},
        onStatus: (status) => status.state === state && stop.abort(),
      });
    },
  );

  test.each([
    { categories: ['gardening' as 'crypto'] },
    { alertType: 'stale' as 'fresh' },
    { minSignal: 101 },
    { minSignal: 7.5 },
    { sinceId: -1 },
  ])('values that the service would refuse are refused before anything is sent: %j', async (values) => {
    const standIn = await startStandIn();
    await expect(follow(standIn, values).ended).rejects.toBeInstanceOf(RangeError);
    expect(standIn.asked).toEqual([]);
  });

  test('what onAlert throws ends it, and is thrown', async () => {
    const standIn = await startStandIn();
    const fault = new Error('disk full');
    const { ended } = follow(standIn, { onAlert: () => Promise.reject(fault) });
    const socket = await connected(standIn);
    socket.send(alert(1));
    await expect(ended).rejects.toBe(fault);
    expect(await socket.closed).toBe(1000);
  });
});

test('a gap is reported in its place, and not requested again', async () => {
  const standIn = await startStandIn();
  const { got } = follow(standIn, { sinceId: 1 });
  const first = await connected(standIn);
  first.send({ type: 'gap', from: 2, to: 90 });
  await until(() => got.length === 1);
  first.drop();
  const second = await connected(standIn);
  expect(second.query.get('since_id')).toBe('90');
  second.send(alert(91));
  await until(() => got.length === 2);
  expect(got).toEqual([{ from: 2, to: 90 }, 91]);
});

test('its alert has the fields of the API’s', () => {
  expectTypeOf<keyof StreamAlert>().toEqualTypeOf<keyof ReturnType<typeof alertView>>();
  expectTypeOf<ReturnType<typeof alertView>>().toExtend<StreamAlert>();
});

test('frames that it does not know are passed over, those of a degraded feed too', async () => {
  const standIn = await startStandIn();
  const { got } = follow(standIn);
  const socket = await connected(standIn);
  const degraded = {
    type: 'degraded',
    since: '2026-01-02T00:00:00.000Z',
    cause: 'stopped',
    message: 'Blind.',
  };
  for (const frame of [
    ...['no json', '7', 'null', { type: 'new' }, { type: 'error', message: 'Unknown.' }],
    ...[degraded, { ...degraded, type: 'recovered' }],
  ]) {
    socket.send(frame);
  }
  socket.send(alert(1));
  await until(() => got.length === 1);
  expect(got).toEqual([1]);
});
