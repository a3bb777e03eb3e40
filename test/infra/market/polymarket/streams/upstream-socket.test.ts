import { expect, test } from 'vitest';
import { startMuteServer } from '../../../../support/mute-server.ts';
import { startStandIn } from '../../../../support/stream-stand-in.ts';
import { passPause, until } from '../../../../support/until.ts';
import { runOn, runSocket } from './upstream-socket-fixture.ts';

test('it subscribes first, then sends the text PING each interval', async () => {
  const standIn = await startStandIn();
  const { clock, server } = await runOn(standIn);
  await clock.advance(4_999);
  await clock.advance(1);
  expect(await server.message()).toBe('PING');
  await clock.advance(5_000);
  expect(await server.message()).toBe('PING');
  expect(server.received).toEqual(['subscribe', 'PING', 'PING']);
});

test('its handshake names this program', async () => {
  const standIn = await startStandIn();
  const agents: (string | undefined)[] = [];
  standIn.onHandshake = (_query, headers) => void agents.push(headers['user-agent']);
  await runOn(standIn);
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

test('a frame that counts gives the stream another 30 s', async () => {
  const standIn = await startStandIn();
  const { clock, server, frames, states } = await runOn(standIn);
  await clock.advance(29_000);
  server.send('tick');
  await frames.take();
  await clock.advance(29_999);
  expect(states).toEqual([true]);
});

test('a server that accepts and never answers the upgrade is left after 10 s', async () => {
  const { url, sockets } = await startMuteServer();
  const { clock } = runSocket(url);
  await until(() => sockets.size === 1);
  await clock.advance(9_999);
  expect(sockets.size).toBe(1);
  await clock.advance(1);
  await until(() => sockets.size === 0);
  expect(await passPause(clock)).toBe(500);
  await until(() => sockets.size === 1);
});

test('stopped while it connects, it leaves no socket and no timer', async () => {
  const { url, sockets } = await startMuteServer();
  const { clock, stop, ended } = runSocket(url);
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
