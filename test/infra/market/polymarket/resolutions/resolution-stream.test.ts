import { expect, onTestFinished, test } from 'vitest';
import { ResolutionStream } from '../../../../../src/infra/market/polymarket/resolutions/resolution-stream.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { START } from '../../../../support/rows.ts';
import { silentLogger } from '../../../../support/silent-logger.ts';
import { createQueue, type StandInSocket, startStandIn } from '../../../../support/stream-stand-in.ts';
import { until } from '../../../../support/until.ts';

async function startStream(...assets: string[]) {
  const standIn = await startStandIn();
  const handshakes: number[] = [];
  const clock = createFakeClock(START);
  standIn.onHandshake = () => handshakes.push(clock.now() - START);
  const resolved = createQueue<string>();
  const states: [string, boolean][] = [];
  const watched = { assets };
  const stream = new ResolutionStream({
    url: `${standIn.url}/ws/market`,
    clock,
    random: () => 0,
    logger: silentLogger,
    metrics: { upstreamStream: (name, isOpen) => states.push([name, isOpen]) },
    assets: () => watched.assets,
    onResolved: resolved.put,
  });
  const stop = new AbortController();
  const ended = stream.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const isOpen = () => states.at(-1)?.[1] === true;
  return { isOpen, standIn, handshakes, clock, resolved, states, watched, stop, ended };
}

const assetsOf = async (socket: StandInSocket) => JSON.parse(await socket.message()).assets_ids as string[];
const resolutionOf = (market: unknown) => ({ event_type: 'market_resolved', id: '1', market });

test('it asks for resolutions of the assets, and reports the condition id in lower case', async () => {
  const { standIn, resolved, states } = await startStream('2', '1', '1');
  const socket = await standIn.connection();
  expect(JSON.parse(await socket.message())).toEqual({
    assets_ids: ['1', '2'],
    type: 'market',
    custom_feature_enabled: true,
  });
  socket.send(resolutionOf('0xAB'));
  expect(await resolved.take()).toBe('0xab');
  expect(states.at(-1)).toEqual(['resolutions', true]);
});

test('a frame may hold many events; what is no resolution is passed over', async () => {
  const { standIn, resolved } = await startStream('1');
  const socket = await standIn.connection();
  await socket.message();
  for (const frame of ['PONG', '', '{"market_resolved"', '"market_resolved"', '[null,"market_resolved"]'])
    socket.send(frame);
  for (const market of [undefined, null, 7, '', 'x'.repeat(101)]) socket.send(resolutionOf(market));
  socket.send({ event_type: 'new_market', market: '0x1', question: '"market_resolved"' });
  socket.send([{ event_type: 'book', market: '0x2' }, resolutionOf('0x3'), resolutionOf('0x4')]);
  expect([await resolved.take(), await resolved.take()]).toEqual(['0x3', '0x4']);
});

test('without assets there is no connection; the first asset opens one within a minute, the last one closes it', async () => {
  const { standIn, handshakes, clock, watched, isOpen } = await startStream();
  await clock.advance(59_999);
  expect(handshakes).toEqual([]);
  expect(isOpen()).toBe(false);
  watched.assets = ['1'];
  await clock.advance(1);
  const socket = await standIn.connection();
  expect(await assetsOf(socket)).toEqual(['1']);
  expect(isOpen()).toBe(true);
  watched.assets = [];
  await rest(clock, socket, 50);
  expect(isOpen()).toBe(true);
  await clock.advance(10_000);
  expect(await socket.closed).toBe(1006);
  await until(() => clock.sleepers === 1);
  expect(isOpen()).toBe(false);
});

test('other assets make a new connection with the whole list', async () => {
  const { standIn, clock, watched } = await startStream('1');
  const first = await standIn.connection();
  await first.message();
  watched.assets = ['1', '2'];
  await rest(clock, first, 50);
  await clock.advance(10_000);
  expect(await assetsOf(await standIn.connection())).toEqual(['1', '2']);
  expect(await first.closed).toBe(1006);
});

test('the same assets in another order keep their connection', async () => {
  const { standIn, handshakes, clock, watched } = await startStream('1', '2');
  const socket = await standIn.connection();
  await socket.message();
  watched.assets = ['2', '1', '2'];
  await rest(clock, socket, 130);
  expect(handshakes).toEqual([0]);
});

test('30 s without any frame is a frozen stream; the answers to its PINGs keep it', async () => {
  const { standIn, clock, isOpen } = await startStream('1');
  const socket = await standIn.connection();
  await socket.message();
  await rest(clock, socket, 60);
  expect(isOpen()).toBe(true);
  await clock.advance(30_000);
  expect(await socket.closed).toBe(1006);
});

async function rest(clock: ReturnType<typeof createFakeClock>, socket: StandInSocket, seconds: number) {
  for (let passed = 0; passed < seconds; passed += 10) {
    const pings = socket.received.length;
    await clock.advance(10_000);
    await until(() => socket.received.length > pings);
    socket.send('PONG');
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
