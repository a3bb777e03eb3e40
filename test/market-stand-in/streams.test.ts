import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Fault, OUTAGES } from '../support/market/faults.ts';
import { AS_MEASURED } from '../support/market/market-profile.ts';
import { tapeOf } from '../support/market/market-tape.ts';
import { openMarket } from '../support/market/open-market.ts';
import { smallTape, TAPE_START_S } from '../support/market/small-tape.ts';

const TRADES = { action: 'subscribe', subscriptions: [{ topic: 'activity', type: 'trades' }] };

/** A client of a stream of a market of which nothing is revealed yet. */
async function listen({ path = '/', ...options }: { path?: string } & Parameters<typeof openMarket>[0] = {}) {
  const open = await openMarket(options);
  open.market.revealUntil((TAPE_START_S - 1) * 1_000);
  open.market.streams.look();
  const socket = new WebSocket(open.market.settings['POLYMARKET_STREAM_URL'] + path);
  onTestFinished(() => socket.terminate());
  const frames: string[] = [];
  socket.on('message', (data) => frames.push(String(data)));
  await once(socket, 'open');
  /** What was sent before is dealt with once this is answered. */
  const settled = async () => {
    const pongs = () => frames.filter((frame) => frame === 'PONG').length;
    const before = pongs();
    socket.send('PING');
    while (pongs() === before) await once(socket, 'message');
  };
  const reveal = (seconds: number) => {
    open.market.revealUntil((TAPE_START_S + seconds) * 1_000);
    open.market.streams.look();
  };
  return {
    ...open,
    socket,
    frames,
    settled,
    reveal,
    say: (message: object) => socket.send(JSON.stringify(message)),
  };
}

test('trades are sent once subscribed, in an envelope; PING is answered with PONG', async () => {
  const { say, settled, reveal, frames } = await listen();
  say(TRADES);
  await settled();
  reveal(1);
  await settled();
  const [pong, first, second] = frames;
  expect(pong).toBe('PONG');
  expect(JSON.parse(first ?? '')).toMatchObject({
    topic: 'activity',
    type: 'trades',
    payload: { transactionHash: '0x0', timestamp: TAPE_START_S },
  });
  expect(JSON.parse(second ?? '').payload.transactionHash).toBe('0x1');
});

test('without "action" a subscription is taken and nothing is sent', async () => {
  const { say, settled, reveal, frames } = await listen();
  say({ subscriptions: TRADES.subscriptions });
  await settled();
  reveal(1);
  await settled();
  expect(frames).toEqual(['PONG', 'PONG']);
});

test('bare frames have only connection_id and payload; garbled ones are no JSON', async () => {
  for (const kind of ['bare', 'garble'] as const) {
    const { say, settled, reveal, frames } = await listen({ faults: [{ kind }] });
    say(TRADES);
    await settled();
    reveal(0);
    await settled();
    const frame = frames[1] ?? '';
    if (kind === 'bare') expect(Object.keys(JSON.parse(frame))).toEqual(['connection_id', 'payload']);
    else expect(() => JSON.parse(frame)).toThrow();
  }
});

test('freeze: the connection stays and nothing comes any more; close: it is closed', async () => {
  const frozen = await listen({ faults: [{ kind: 'freeze' }] });
  frozen.say(TRADES);
  await frozen.settled();
  frozen.reveal(1);
  frozen.socket.send('PING');
  await frozen.get('/v2/status');
  expect(frozen.frames).toEqual(['PONG']);
  expect(frozen.socket.readyState).toBe(WebSocket.OPEN);

  const closing = await listen({ faults: [{ kind: 'close' }] });
  closing.say(TRADES);
  await closing.settled();
  const closed = once(closing.socket, 'close');
  closing.reveal(1);
  expect((await closed)[0]).toBe(1011);
});

test('the order book’s stream notifies subscribers of an asset that its market is resolved', async () => {
  const { say, settled, reveal, frames } = await listen({ path: '/ws/market' });
  say({ assets_ids: ['01'], type: 'market', custom_feature_enabled: true });
  await settled();
  reveal(50);
  await settled();
  expect(frames.slice(1, -1).map((frame) => JSON.parse(frame))).toMatchObject([
    {
      event_type: 'market_resolved',
      assets_ids: ['01', '02'],
      winning_asset_id: '02',
      winning_outcome: 'No',
    },
  ]);
});

describe('RTDS as measured', () => {
  const BOTH = {
    action: 'subscribe',
    subscriptions: ['trades', 'orders_matched'].map((type) => ({ topic: 'activity', type })),
  };
  const PINGS_EVERY_MS = 5_000;

  /** The frames that a client gets over a span of the tape; it sends PING if `pings`. */
  async function heard({ until = 60, pings = true, tape = smallTape(1_000) } = {}) {
    const open = await listen({ ...AS_MEASURED, tape, count: 1_000 });
    const { market, say, socket, frames } = open;
    say(BOTH);
    await answered(open);
    for (let ms = 0; ms <= until * 1_000; ms += 100) {
      market.revealUntil(TAPE_START_S * 1_000 + ms);
      market.streams.look();
      if (pings && ms % PINGS_EVERY_MS === 0) socket.send('PING');
      if (ms % 1_000 === 0) await answered(open);
    }
    return { ...open, messages: frames.filter((text) => text !== '').map((text) => JSON.parse(text)) };
  }

  /** What was sent before has come once an HTTP request was answered and the socket was read. */
  async function answered({ get }: { get: (path: string) => Promise<unknown> }) {
    await get('/v2/status');
    await setImmediate();
  }

  test('the first frame and the answer to PING are empty texts', async () => {
    const { frames, socket } = await listen(AS_MEASURED);
    while (frames.length < 1) await once(socket, 'message');
    socket.send('PING');
    while (frames.length < 2) await once(socket, 'message');
    expect(frames).toEqual(['', '']);
  });

  test('the taker’s row comes 1.9 s after its match, all rows 2.1 to 2.5 s after, nearly all of them', async () => {
    const { messages } = await heard({ until: 600 });
    const delays = (type: string) =>
      messages
        .filter((message) => message.type === type)
        .map(
          ({ timestamp, payload }) =>
            timestamp - (TAPE_START_S + Number(payload.transactionHash.slice(2))) * 1_000,
        );
    const trades = delays('trades');
    expect(Math.min(...trades)).toBeGreaterThanOrEqual(2_100);
    expect(Math.max(...trades)).toBeLessThanOrEqual(2_600);
    expect(new Set(delays('orders_matched'))).toEqual(new Set([1_900]));
    expect(trades.length).toBeLessThan(598);
    expect(trades.length).toBeGreaterThan(590);
  });

  test('3 of 4 transactions are dated one second earlier, with all their rows; only the taker’s are orders_matched', async () => {
    const { markets, trade } = smallTape(600);
    const pairs = Array.from({ length: 600 }, (_, n) => ({
      ...trade(n),
      timestamp: TAPE_START_S + Math.floor(n / 2),
      transactionHash: `0x${Math.floor(n / 2)}`,
    }));
    const { messages } = await heard({ until: 300, tape: tapeOf([...markets, ...pairs]) });
    const matched = messages.filter(({ type }) => type === 'orders_matched');
    const sizes = matched.map(({ payload }) => payload.size - 10);
    expect(sizes.every((n) => n % 2 === 1)).toBe(true);
    expect(sizes.length).toBeGreaterThan(290);
    const earlier = new Map<number, Set<number>>();
    for (const { payload } of messages) {
      const second = Number(payload.transactionHash.slice(2));
      const by = TAPE_START_S + second - payload.timestamp;
      earlier.set(second, (earlier.get(second) ?? new Set()).add(by));
    }
    expect([...earlier.values()].every((by) => by.size === 1)).toBe(true);
    const share = [...earlier.values()].filter((by) => by.has(1)).length / earlier.size;
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
  });

  test('without PING it says nothing after 6 minutes and stays open', async () => {
    const { messages, socket } = await heard({ until: 500, pings: false });
    const last = messages.at(-1).timestamp - TAPE_START_S * 1_000;
    expect(last).toBeGreaterThan(355_000);
    expect(last).toBeLessThanOrEqual(360_000);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  test('it can be silenced, closed and refused while it runs, and comes back', async () => {
    const open = await heard({ until: 10 });
    const { market, socket, frames, get } = open;
    const strike = (...faults: readonly Fault[]) => {
      market.faults.script = { seed: 1, faults };
    };
    strike(...OUTAGES.rtds);
    const before = frames.length;
    market.revealUntil((TAPE_START_S + 20) * 1_000);
    market.streams.look();
    socket.send('PING');
    await answered(open);
    await get('/v2/status');
    expect([frames.length, socket.readyState]).toEqual([before, WebSocket.OPEN]);
    strike();
    market.revealUntil((TAPE_START_S + 30) * 1_000);
    market.streams.look();
    while (frames.length === before) await once(socket, 'message');
    strike({ kind: 'rtds-closed' });
    const closed = once(socket, 'close');
    market.streams.look();
    expect((await closed)[0]).toBe(1011);
    strike({ kind: 'rtds-refused' });
    const refused = new WebSocket(String(market.settings['POLYMARKET_STREAM_URL']));
    const [error] = await once(refused, 'error');
    expect(String(error)).toContain('503');
  });
});
