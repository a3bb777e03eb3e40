import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedConnect } from '../../../src/infra/outgoing/guarded-connect.ts';
import { isPublicAddress } from '../../../src/infra/outgoing/public-address.ts';

let server: Server;
let connections = 0;
let target: { readonly port: string; readonly protocol: string };

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.resume();
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  target = { protocol: 'https:', port: String((server.address() as AddressInfo).port) };
});
afterAll(() => new Promise((closed) => server.close(closed)));

const guard = { isPublic: isPublicAddress, maxAnswerBytes: 1_024 };
const never = new AbortController().signal;

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0'])(
  'the address %s is checked although it is not looked up',
  async (hostname) => {
    const connect = createGuardedConnect({ ...guard, resolve: async () => ['8.8.8.8'] });
    await expect(connect({ ...target, hostname }, never)).rejects.toMatchObject({ word: 'not_public' });
    expect(connections).toBe(0);
  },
);

test('an attempt that is aborted during the look-up connects nowhere, whatever the look-up finds then', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const connect = createGuardedConnect({ ...guard, isPublic: null, resolve: () => promise });
  const over = new AbortController();
  const attempt = connect({ ...target, hostname: 'hooks.example.test' }, over.signal);
  over.abort(new Error('too late'));
  resolve(['127.0.0.1']);
  await expect(attempt).rejects.toThrow('too late');
  await new Promise((later) => setImmediate(later));
  expect(connections).toBe(0);
});

test('an attempt that is aborted during the handshake ends, and its connection with it', async () => {
  const connect = createGuardedConnect({ ...guard, isPublic: null, resolve: async () => ['127.0.0.1'] });
  const over = new AbortController();
  const closed = new Promise((done) => server.once('connection', (socket) => socket.once('close', done)));
  const attempt = connect({ ...target, hostname: 'hooks.example.test' }, over.signal);
  server.once('connection', (socket) => socket.once('data', () => over.abort(new Error('too late'))));
  await expect(attempt).rejects.toThrow();
  await closed;
});
