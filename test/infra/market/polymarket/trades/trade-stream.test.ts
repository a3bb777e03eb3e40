import { expect, onTestFinished, test } from 'vitest';
import { TradeStream } from '../../../../../src/infra/market/polymarket/trades/trade-stream.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { upstreamTrade } from '../../../../support/polymarket/upstream-rows.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { START } from '../../../../support/rows.ts';
import { type StandInSocket, startStandIn } from '../../../../support/stream-stand-in.ts';
import { passPause, until } from '../../../../support/until.ts';

interface Subscription {
  readonly action?: string;
  readonly subscriptions?: readonly { topic: string; type: string }[];
}

/** What the market does with the frames that subscribe: `refuses` answers with the frame in their place. */
type Manners = (types: readonly string[]) => unknown;

async function startStream() {
  const standIn = await startStandIn();
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const states: [string, boolean][] = [];
  let trades = 0;
  const stream = new TradeStream({
    url: standIn.url,
    clock,
    random: () => 0,
    logger,
    metrics: { upstreamStream: (name, isOpen) => states.push([name, isOpen]) },
    onTrade: () => (trades += 1),
  });
  const stop = new AbortController();
  const ended = stream.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const shown = () => trades;
  const warnings = () =>
    logger.lines.flatMap(({ level, fields }) =>
      level === 'warn' && 'words' in fields ? [fields.words] : [],
    );
  return { standIn, clock, logger, states, stream, shown, warnings };
}

/** Takes as many frames that subscribe as the connection sends first; shows a trade of the types that were accepted. */
async function serve(socket: StandInSocket, frames: number, manners: Manners = () => null) {
  const accepted: string[] = [];
  const asked: (readonly string[])[] = [];
  for (let frame = 0; frame < frames; frame += 1) {
    const { action, subscriptions = [] } = JSON.parse(await socket.message()) as Subscription;
    const types = subscriptions.filter(({ topic }) => topic === 'activity').map(({ type }) => type);
    asked.push(types);
    const refusal = action === 'subscribe' ? manners(types) : 'no action';
    if (refusal === null) accepted.push(...types);
    else if (refusal !== 'no action') socket.send(refusal);
  }
  return {
    asked,
    show(type: string): void {
      const payload = upstreamTrade();
      if (accepted.includes(type)) socket.send({ topic: 'activity', type, timestamp: START, payload });
    },
  };
}

test('it subscribes to both types that show trades, each in a frame of its own, and tells that there are some', async () => {
  const { standIn, shown } = await startStream();
  const market = await serve(await standIn.connection(), 2);
  expect(market.asked).toEqual([['trades'], ['orders_matched']]);
  market.show('trades');
  await until(() => shown() === 1);
  market.show('orders_matched');
  await until(() => shown() === 2);
});

test('frames with only connection_id and payload show trades, be the payload one row or many; others show none', async () => {
  const { standIn, shown, logger } = await startStream();
  const socket = await standIn.connection();
  const garbage = ['', 'PONG', '{', '[]', 'null', '"payload"', '{"payload":null}', '{"payload":[null,7,[]]}'];
  for (const frame of garbage) socket.send(frame);
  socket.send({ topic: 'crypto_prices', type: 'update', payload: { symbol: 'btcusd', value: 1 } });
  socket.send({ connectionId: 'c1', statusCode: 200, body: { message: 'subscribed' } });
  socket.send({ connection_id: 'c1', payload: upstreamTrade() });
  socket.send({ connection_id: 'c1', payload: [{ side: 'BUY' }, upstreamTrade()] });
  await until(() => shown() === 2);
  expect(logger.lines.map(({ level }) => level)).toEqual(['info']);
});

/** Of one type, as it was reported and in other forms that servers use. */
const REFUSALS: readonly (readonly [words: string, frame: unknown])[] = [
  [
    'unknown subscription type',
    { connectionId: 'abc123', body: { message: 'unknown subscription type' }, statusCode: 401 },
  ],
  ['Invalid request body', { message: 'Invalid request body', connectionId: 'abc=', requestId: 'r1' }],
  ['type not allowed', { type: 'error', error: { message: 'type not allowed' } }],
  ['INVALID OPERATION', 'INVALID OPERATION'],
];

test.each(REFUSALS)(
  'one type that is refused costs that type; the words are logged once: %s',
  async (words, frame) => {
    const { standIn, clock, stream, shown, warnings } = await startStream();
    const refuse: Manners = (types) => (types.includes('orders_matched') ? frame : null);
    const socket = await standIn.connection();
    const market = await serve(socket, 2, refuse);
    for (let second = 0; second < 60; second += 1) {
      market.show('trades');
      await until(() => shown() === second + 1);
      await clock.advance(1_000);
    }
    expect([stream.isOpen, warnings()]).toEqual([true, [words]]);
    socket.drop();
    await until(() => !stream.isOpen);
    await clock.advance(1_000);
    const again = await serve(await standIn.connection(), 2, refuse);
    again.show('trades');
    await until(() => shown() === 61);
    expect(warnings()).toEqual([words]);
  },
);

test('while both types are refused the connection is kept for ten minutes, and nothing is logged again', async () => {
  const { standIn, clock, stream, warnings, logger } = await startStream();
  const [[words, frame] = ['', null]] = REFUSALS;
  const socket = await standIn.connection();
  await serve(socket, 2, () => frame);
  await until(() => warnings().length === 1);
  for (let second = 0; second < 590; second += 10) {
    await clock.advance(10_000);
    await answerPings(socket);
  }
  expect([stream.isOpen, warnings()]).toEqual([true, [words]]);
  expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  await clock.advance(30_000);
  await until(() => !stream.isOpen);
});

async function answerPings(socket: StandInSocket): Promise<void> {
  socket.send('');
  await new Promise((resolve) => setImmediate(resolve));
}

test('15 s without a trade is a frozen stream, though PONGs and other topics continue', async () => {
  const { standIn, clock, states, stream, shown } = await startStream();
  const socket = await standIn.connection();
  const market = await serve(socket, 2);
  market.show('trades');
  await until(() => shown() === 1);
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
  const again = await serve(await standIn.connection(), 2);
  again.show('trades');
  await until(() => shown() === 2);
});
