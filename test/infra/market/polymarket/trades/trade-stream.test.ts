import { expect, onTestFinished, test } from 'vitest';
import type { LiveRow } from '../../../../../src/core/trades/source/source.ts';
import { TradeStream } from '../../../../../src/infra/market/polymarket/trades/trade-stream.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { upstreamTrade } from '../../../../support/polymarket/upstream-rows.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { START } from '../../../../support/rows.ts';
import { createQueue, type StandInSocket, startStandIn } from '../../../../support/stream-stand-in.ts';
import { passPause, until } from '../../../../support/until.ts';

interface Subscription {
  readonly action?: string;
  readonly subscriptions?: readonly { topic: string; type: string }[];
}

/** Waits for a subscription as the market does; `show` sends a frame of a type only to who asked for it. */
async function takeSubscriber(socket: StandInSocket) {
  const asked = JSON.parse(await socket.message()) as Subscription;
  const types = asked.action === 'subscribe' ? (asked.subscriptions ?? []) : [];
  return {
    asked,
    show(type: string, payload: unknown): void {
      if (!types.some((wanted) => wanted.topic === 'activity' && wanted.type === type)) return;
      socket.send({ topic: 'activity', type, timestamp: START, connection_id: 'c1', payload });
    },
  };
}

async function startStream() {
  const standIn = await startStandIn();
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const trades = createQueue<LiveRow>();
  const states: [string, boolean][] = [];
  const stream = new TradeStream({
    url: standIn.url,
    clock,
    random: () => 0,
    logger,
    metrics: { upstreamStream: (name, isOpen) => states.push([name, isOpen]) },
    onTrade: trades.put,
  });
  const stop = new AbortController();
  const ended = stream.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const socket = await standIn.connection();
  const market = await takeSubscriber(socket);
  return { standIn, clock, logger, trades, states, stream, socket, market };
}

test('it subscribes with the action word, without which the market sends nothing, to both types that show trades; one of them shows takers alone', async () => {
  const { market, trades } = await startStream();
  const [first, second] = [upstreamTrade(), upstreamTrade()];
  market.show('trades', first);
  expect((await trades.take()).row).toMatchObject({
    trade: { transaction: first.transactionHash, role: null },
  });
  market.show('orders_matched', second);
  expect((await trades.take()).row).toMatchObject({
    trade: { transaction: second.transactionHash, role: 'taker' },
  });
  expect(market.asked.action).toBe('subscribe');
});

test('a row is what polling would give, with its line of a tape', async () => {
  const { market, trades } = await startStream();
  const payload = upstreamTrade({ proxyWallet: '0xAB', name: 'somebody', icon: 'https://…' });
  market.show('trades', payload);
  const { row, line } = await trades.take();
  expect(row).toMatchObject({ kind: 'trade', at: START, trade: { wallet: '0xab', shares: 1_000 } });
  expect(JSON.parse(line)).not.toHaveProperty('icon');
});

test('frames with only connection_id and payload are read, be the payload one row or many', async () => {
  const { socket, trades } = await startStream();
  const [one, two, three] = [upstreamTrade(), upstreamTrade(), upstreamTrade()];
  socket.send({ connection_id: 'c1', payload: one });
  socket.send({ connection_id: 'c1', payload: [two, { side: 'BUY' }, three] });
  const rows = [await trades.take(), await trades.take(), await trades.take()];
  expect(rows.map(({ line }) => JSON.parse(line).transactionHash)).toEqual(
    [one, two, three].map(({ transactionHash }) => transactionHash),
  );
});

test('a timestamp in milliseconds is the second it lies in, so that the fill is the row that polling gives', async () => {
  const { market, trades } = await startStream();
  market.show('trades', upstreamTrade({ timestamp: START + 789 }));
  market.show('trades', upstreamTrade({ timestamp: String(START + 789) }));
  market.show('trades', upstreamTrade({ timestamp: START / 1_000 }));
  expect([await trades.take(), await trades.take(), await trades.take()].map(({ row }) => row.at)).toEqual([
    START,
    START,
    START,
  ]);
});

test('what is no trade is passed over: garbage, other topics, rows that lack a field', async () => {
  const { socket, market, trades, logger } = await startStream();
  const { size: _, ...incomplete } = upstreamTrade();
  const garbage = ['', 'PONG', '{', '[]', 'null', '"payload"', '{"payload":null}', '{"payload":[null,7,[]]}'];
  for (const frame of garbage) socket.send(frame);
  socket.send({ topic: 'crypto_prices', type: 'update', payload: { symbol: 'btcusd', value: 1 } });
  market.show('trades', incomplete);
  market.show('trades', upstreamTrade({ price: '1.5' }));
  market.show('trades', upstreamTrade({ timestamp: 'soon' }));
  const good = upstreamTrade();
  market.show('trades', good);
  expect((await trades.take()).row).toMatchObject({ trade: { transaction: good.transactionHash } });
  expect(logger.lines.map(({ level }) => level)).toEqual(['info', 'debug']);
});

test('15 s without a trade is a frozen stream, though PONGs and other topics continue', async () => {
  const { standIn, clock, socket, market, trades, states, stream } = await startStream();
  market.show('trades', upstreamTrade());
  await trades.take();
  expect(stream.isOpen).toBe(true);
  for (let second = 0; second < 15; second++) {
    socket.send('PONG');
    socket.send({ topic: 'crypto_prices', payload: { symbol: 'btcusd', value: second } });
    await clock.advance(1_000);
  }
  await until(() => !stream.isOpen);
  expect(states).toEqual([
    ['trades', true],
    ['trades', false],
  ]);
  expect(await passPause(clock)).toBe(500);
  const again = await takeSubscriber(await standIn.connection());
  const trade = upstreamTrade();
  again.show('trades', trade);
  expect((await trades.take()).row).toMatchObject({ trade: { transaction: trade.transactionHash } });
});
