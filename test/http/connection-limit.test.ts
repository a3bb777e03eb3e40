import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { limitConnections } from '../../src/http/hooks/connection-limit.ts';
import type { ConnectionLimits, ServerDeps } from '../../src/http/server-deps.ts';
import { createFakeClock } from '../support/clock.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { START } from '../support/rows.ts';

function open(limits: Partial<ConnectionLimits>) {
  const server = new EventEmitter() as Server;
  const [serve, onRefused, logger] = [vi.fn(), vi.fn(), createRecordingLogger()];
  server.on('connection', serve);
  const connectionLimits = { total: 1_000, perAddress: null, filesLeft: () => null, onRefused, ...limits };
  limitConnections(server, {
    connectionLimits,
    logger,
    clock: createFakeClock(START),
  } as unknown as ServerDeps);
  const connect = (remoteAddress = '203.0.113.7') => {
    const served = serve.mock.calls.length;
    const socket = Object.assign(new PassThrough(), { remoteAddress });
    const sent = vi.spyOn(socket, 'end');
    server.emit('connection', socket);
    const result = serve.mock.calls.length > served ? 'served' : String(sent.mock.calls[0]?.[0]).slice(9, 12);
    return { result, socket };
  };
  const closed = async (socket: PassThrough) => {
    socket.destroy();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { connect, closed, onRefused, logger };
}

test('above the number of connections a new one gets a 503, until one has closed', async () => {
  const { connect, closed, onRefused, logger } = open({ total: 2 });
  const [first] = [connect(), connect('198.51.100.1')];
  const refused = [connect(), connect()];
  expect(refused.map(({ result }) => result)).toEqual(['503', '503']);
  for (const { socket } of [first, ...refused]) await closed(socket);
  expect(connect().result).toBe('served');
  expect(onRefused.mock.calls).toEqual([['total'], ['total']]);
  expect(logger.lines.map(({ message }) => message)).toEqual([
    'too many connections: new ones are refused (MAX_CONNECTIONS)',
  ]);
});

test('one address does not take the connections of others; one IPv6 /64 is one address, loopback is not limited', async () => {
  const { connect, closed } = open({ perAddress: 1 });
  const { socket } = connect('2001:db8::1');
  expect(connect('2001:db8::2').result).toBe('503');
  for (const other of [
    '2001:db8:0:1::1',
    '203.0.113.7',
    '127.0.0.1',
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '::1',
    '::1',
  ])
    expect(connect(other).result).toBe('served');
  await closed(socket);
  expect(connect('2001:db8::2').result).toBe('served');
});

test('without room for another open file a connection gets a 503; of a flood 16 are answered at a time', () => {
  let left = 0;
  const { connect } = open({ filesLeft: () => left });
  const results = Array.from({ length: 20 }, () => connect().result);
  expect(results.filter((result) => result === '503')).toHaveLength(16);
  left = 1;
  expect(connect().result).toBe('served');
});
