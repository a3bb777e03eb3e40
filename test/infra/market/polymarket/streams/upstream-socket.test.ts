import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import {
  UpstreamSocket,
  type UpstreamSocketOptions,
} from '../../../../../src/infra/market/polymarket/streams/upstream-socket.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { startMuteServer } from '../../../../support/mute-server.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { START } from '../../../../support/rows.ts';
import { createQueue, startStandIn } from '../../../../support/stream-stand-in.ts';
import { passPause, until } from '../../../../support/until.ts';

test('it names this program, subscribes first, then sends the text PING each interval', async () => {
  const standIn = await startStandIn();
  const agents: (string | undefined)[] = [];
  standIn.onHandshake = (_query, headers) => void agents.push(headers['user-agent']);
  const { clock, server } = await runOn(standIn);
  for (let count = 0; count < 2; count++) {
    await clock.advance(5_000);
    expect(await server.message()).toBe('PING');
  }
  expect(server.received).toEqual(['subscribe', 'PING', 'PING']);
  expect(agents).toEqual([expect.stringMatching(/^Tipoff\/\d/)]);
});

test('without a text it pings by the protocol, and sends no frame of its own', async () => {
  const standIn = await startStandIn();
  const { clock, server } = await runOn(standIn, { pingText: null });
  const { pings } = server;
  await clock.advance(5_000);
  await until(() => pings() === 1);
  expect(server.received).toEqual(['subscribe']);
});

test('what is sent goes over the open connection, and its end is reported', async () => {
  const standIn = await startStandIn();
  const { server, socket } = await runOn(standIn);
  expect(socket.send('first')?.aborted).toBe(false);
  expect(await server.message()).toBe('first');
  const ended = socket.send('second');
  expect(ended?.aborted).toBe(false);
  server.drop();
  await until(() => ended?.aborted === true);
  expect(socket.send('too late')).toBeNull();
});

test('a server that accepts and never answers the upgrade is left after 10 s, or when it is stopped', async () => {
  const { url, sockets } = await startMuteServer();
  const { clock, stop, ended } = runSocket(url);
  await until(() => sockets.size === 1);
  await clock.advance(9_999);
  expect(sockets.size).toBe(1);
  await clock.advance(1);
  await until(() => sockets.size === 0);
  expect(await passPause(clock)).toBe(500);
  await until(() => sockets.size === 1);
  stop.abort();
  await ended;
  await until(() => sockets.size === 0);
  expect(clock.sleepers).toBe(0);
});

test('stopped while open, while it waits to connect again, or before it began, it leaves no timer', async () => {
  const standIn = await startStandIn();
  const open = await runOn(standIn);
  open.stop.abort();
  await open.ended;
  expect(await open.server.closed).toBe(1006);
  const waiting = await runOn(standIn);
  waiting.server.drop();
  await until(() => waiting.clock.sleepers === 1);
  waiting.stop.abort();
  await waiting.ended;
  const early = runSocket(standIn.url);
  early.stop.abort();
  await early.ended;
  expect([open, waiting, early].map(({ clock }) => clock.sleepers)).toEqual([0, 0, 0]);
  expect(open.states).toEqual([true, false]);
  expect(open.logger.lines.map(({ level }) => level)).toEqual(['info']);
});

test('binary frames are passed over, and one that is too long ends the connection only', async () => {
  const standIn = await startStandIn();
  const { clock, server, frames, logger } = await runOn(standIn);
  server.send(Buffer.from('tick'));
  server.send('tick 1');
  expect(await frames.take()).toBe('tick 1');
  server.send('x'.repeat(1_001));
  await server.closed;
  await passPause(clock);
  await (await standIn.connection()).message();
  expect(logger.lines[1]).toMatchObject({ level: 'warn', fields: { why: 'Max payload size exceeded' } });
});

test('a frame that cannot be handled ends the connection, not the service', async () => {
  const standIn = await startStandIn();
  const { server, logger } = await runOn(standIn, {
    onFrame() {
      throw new Error('a fault');
    },
  });
  server.send('tick');
  await server.closed;
  expect(logger.lines[1]?.fields).toMatchObject({ why: 'frame handler failed: Error: a fault' });
});

const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000];

test('a stream that is frozen for 30 s while its socket is open is connected again, whatever else it sends', async () => {
  const standIn = await startStandIn();
  const { clock, server, frames, states } = await runOn(standIn);
  await clock.advance(29_000);
  server.send('tick');
  await frames.take();
  await clock.advance(29_000);
  server.send('PONG');
  expect(await frames.take()).toBe('PONG');
  await clock.advance(999);
  expect(states).toEqual([true]);
  await clock.advance(1);
  expect(states).toEqual([true, false]);
  expect(await server.closed).toBe(1006);
  expect(await passPause(clock)).toBe(500);
  expect(await (await standIn.connection()).message()).toBe('subscribe');
});

test('a server that closes each connection immediately sees pauses that grow to 30 s, and no storm', async () => {
  const standIn = await startStandIn();
  const { clock, server, logger } = await runOn(standIn);
  server.close(1011);
  for (const pause of PAUSES) {
    expect(await passPause(clock)).toBe(pause);
    const next = await standIn.connection();
    await next.message();
    next.close(1011);
  }
  await until(() => clock.sleepers === 1);
  expect(logger.lines).toHaveLength(2 * (PAUSES.length + 1));
});

test('a minute of life makes the next pause a first one again', async () => {
  const standIn = await startStandIn();
  const { clock, server, frames } = await runOn(standIn);
  server.close(1011);
  expect(await passPause(clock)).toBe(500);
  const second = await standIn.connection();
  await second.message();
  for (let tick = 0; tick < 3; tick++) {
    second.send('tick');
    await frames.take();
    await clock.advance(20_000);
  }
  second.close(1011);
  expect(await passPause(clock)).toBe(500);
});

test('renewed, it connects again at once, with a new subscription', async () => {
  const standIn = await startStandIn();
  const { server, socket, states, logger } = await runOn(standIn);
  socket.renew();
  expect(await (await standIn.connection()).message()).toBe('subscribe');
  expect(await server.closed).toBe(1006);
  expect(states).toEqual([true, false, true]);
  expect(logger.lines.map(({ level }) => level)).toEqual(['info', 'info']);
});

test('after 200 reconnects there are no more timers and listeners than after the first', async () => {
  const standIn = await startStandIn();
  const { clock, stop, server } = await runOn(standIn);
  const held = () => [clock.sleepers, getEventListeners(stop.signal, 'abort').length];
  const atFirst = held();
  let current = server;
  for (let count = 0; count < 200; count++) {
    current.drop();
    await passPause(clock);
    current = await standIn.connection();
    await current.message();
  }
  expect(held()).toEqual(atFirst);
});

/** Runs a socket; only frames that begin with `tick` count. `random` is 0, so that pauses are their least. */
function runSocket(url: string, given: Partial<UpstreamSocketOptions> = {}) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const stop = new AbortController();
  const frames = createQueue<string>();
  const states: boolean[] = [];
  const socket = new UpstreamSocket({
    name: 'trades',
    url,
    clock,
    random: () => 0,
    logger,
    maxPayload: 1_000,
    pingMs: 5_000,
    silenceMs: 30_000,
    subscriptions: () => ['subscribe'],
    onFrame(text) {
      frames.put(text);
      return text.startsWith('tick');
    },
    metrics: { upstreamStream: (_, isOpen) => states.push(isOpen) },
    ...given,
  });
  const ended = socket.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { clock, logger, stop, frames, states, socket, ended };
}

async function runOn(
  standIn: Awaited<ReturnType<typeof startStandIn>>,
  given?: Partial<UpstreamSocketOptions>,
) {
  const run = runSocket(standIn.url, given);
  const server = await standIn.connection();
  await server.message();
  return { ...run, server };
}
