import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Fault } from '../support/market/faults.ts';
import { openMarket } from '../support/market/open-market.ts';
import { TAPE_START_S } from '../support/market/small-tape.ts';

const TRADES = { action: 'subscribe', subscriptions: [{ topic: 'activity', type: 'trades' }] };

/** A client of a stream of a market of which nothing is revealed yet. */
async function listen({ path = '/', faults = [] }: { path?: string; faults?: readonly Fault[] } = {}) {
  const open = await openMarket({ faults });
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

test('the order book’s stream tells who subscribed to an asset that its market is resolved', async () => {
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
