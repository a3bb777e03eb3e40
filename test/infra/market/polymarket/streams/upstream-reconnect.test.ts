import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { startStandIn } from '../../../../support/stream-stand-in.ts';
import { passPause, until } from '../../../../support/until.ts';
import { runOn, runSocket } from './upstream-socket-fixture.ts';

const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000];

test('a stream that is frozen for 30 s while its socket is open is connected again, whatever else it sends', async () => {
  const standIn = await startStandIn();
  const { clock, server, frames, states } = await runOn(standIn);
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

test('a server that refuses is asked again at growing pauses, and that is logged once', async () => {
  const standIn = await startStandIn();
  standIn.handshakeStatus = 503;
  const { clock, logger, states } = runSocket(standIn.url);
  await until(() => clock.sleepers === 2);
  for (const pause of PAUSES) expect(await passPause(clock)).toBe(pause);
  expect(logger.lines.filter(({ level }) => level !== 'debug')).toMatchObject([
    { level: 'warn', fields: { stream: 'trades', why: 'Unexpected server response: 503' } },
  ]);
  expect(states).toEqual([]);
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
