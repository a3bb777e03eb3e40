import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import {
  type Alert,
  createTipoff,
  StreamEndedError,
  TipoffError,
} from '../../clients/typescript/src/index.ts';
import type { alertView } from '../../src/http/views/alert-view.ts';
import { startStandIn } from '../support/stream-stand-in.ts';
import { alert, connected, FAKED, follow, until } from './follow-fixture.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
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
    [4401, 'key_ended', /key was revoked or has expired/],
    [4403, 'tier_lacks_stream', /tier of the key has no stream/],
    [4429, 'refused', /more than 10 messages per second/],
    [4499, 'refused', /refuses this client/],
    [4400, 'refused', /^4400: Unknown query parameters: min_score$/, 'Unknown query parameters: min_score'],
    [4499, 'refused', /^4499: Under repair$/, 'Under repair'],
  ])('a close with %i ends it, and says why', async (closeCode, reason, words, detail = '') => {
    const standIn = await startStandIn();
    const { ended, waits } = follow(standIn);
    (await standIn.connection()).close(closeCode, detail);
    const error = await ended.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StreamEndedError);
    expect(error).toMatchObject({ closeCode, reason, detail, message: expect.stringMatching(words) });
    expect(waits).toEqual([]);
  });

  test('4403 to a key that had the stream as Pro names the end of its trial', async () => {
    const standIn = await startStandIn();
    const { ended, got } = follow(standIn);
    const socket = await connected(standIn);
    socket.send(alert(1));
    await until(() => got.length === 1);
    socket.close(4403);
    const message = expect.stringMatching(/trial of the key has ended/);
    await expect(ended).rejects.toMatchObject({ closeCode: 4403, reason: 'trial_ended', message });
  });

  test.each([
    ['at the beginning', {}],
    ['at a later handshake', { sinceId: 1 }],
  ])('a key that the service does not know stops it, and says why: %s', async (_when, options) => {
    const standIn = await startStandIn();
    standIn.handshakeStatus = 401;
    standIn.restStatus = 401;
    const { ended } = follow(standIn, options);
    const error = await ended.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TipoffError);
    expect(error).toMatchObject({ status: 401, detail: 'No.' });
  });

  test.each([
    ['it is refused', 200, /handshake refused/],
    ['no process can answer', 503, /^503: No\.$/],
  ])('a handshake that fails is waited out, and the status says why: %s', async (_why, restStatus, words) => {
    const standIn = await startStandIn();
    Object.assign(standIn, { handshakeStatus: 429, restStatus });
    const { statuses, waits } = follow(standIn, { sinceId: 1 });
    await until(() => waits.length > 0);
    expect(statuses).toContainEqual(expect.objectContaining({ reason: expect.stringMatching(words) }));
  });

  test('aborting closes with 1000; what waits is not passed on', async () => {
    const standIn = await startStandIn();
    const { got, ended, stop } = follow(standIn, {
      async onAlert({ id }: Alert) {
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
      const { follow: followed } = createTipoff({ url: standIn.url, apiKey: 'sk_live_test' });
      const onStatus = (status: { state: string }) => status.state === state && stop.abort();
      for await (const _ of followed({ signal: stop.signal, onStatus: (status) => void onStatus(status) }))
        break;
    },
  );

  test.each([-1, 1.5, Number.NaN])('the id %d is refused before anything is sent', async (sinceId) => {
    const standIn = await startStandIn();
    await expect(follow(standIn, { sinceId }).ended).rejects.toBeInstanceOf(RangeError);
    expect(standIn.asked).toEqual([]);
  });

  test('an error in the loop closes the socket', async () => {
    const standIn = await startStandIn();
    const fault = new Error('disk full');
    const { ended } = follow(standIn, { onAlert: () => Promise.reject(fault) });
    const socket = await connected(standIn);
    socket.send(alert(1));
    await expect(ended).rejects.toBe(fault);
    expect(await socket.closed).toBe(1000);
  });
});

test('its alert is that of the API', () => {
  expectTypeOf<keyof Alert>().toEqualTypeOf<keyof ReturnType<typeof alertView>>();
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
