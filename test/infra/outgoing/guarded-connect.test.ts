import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createGuardedConnect,
  createPublicResolver,
  resolveAnyHost,
} from '../../../src/infra/outgoing/guarded-connect.ts';
import { isPublicAddress } from '../../../src/infra/outgoing/public-address.ts';
import { startNameServer } from '../../support/receivers/name-server.ts';

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

const IPV6 = '2606:4700:0:0:0:0:0:1111';

async function resolverFor(names: Parameters<typeof startNameServer>[0]) {
  const server = await startNameServer(names);
  onTestFinished(() => server.close());
  const resolve = createPublicResolver([server.address]);
  return Object.assign(resolve, { asked: server.asked });
}

describe('the resolver', () => {
  test('a name leads to all its addresses, those of IPv4 first; it is asked for once of each kind, as it is', async () => {
    const resolve = await resolverFor({ 'hooks.example.com': [IPV6, '192.0.2.1', '192.0.2.2'] });
    const addresses = await resolve('hooks.example.com', never);
    expect([...addresses.slice(0, 2)].sort()).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(addresses[2]).toBe('2606:4700::1111');
    expect(resolve.asked).toEqual(['hooks.example.com', 'hooks.example.com']);
  });

  test('a name with one kind of address is enough', async () => {
    const resolve = await resolverFor({ 'four.example.com': ['192.0.2.1'], 'six.example.com': [IPV6] });
    expect(await resolve('four.example.com', never)).toEqual(['192.0.2.1']);
    expect(await resolve('six.example.com', never)).toEqual(['2606:4700::1111']);
  });

  test('a name that is not there, or has no address, is refused', async () => {
    const resolve = await resolverFor({ 'empty.example.com': [] });
    await expect(resolve('gone.example.com', never)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('empty.example.com', never)).rejects.toMatchObject({ code: 'ENODATA' });
  });

  test('an abort ends the wait for a server that never answers', async () => {
    const resolve = await resolverFor({ 'slow.example.com': null });
    const abort = new AbortController();
    const answer = resolve('slow.example.com', abort.signal);
    abort.abort();
    await expect(answer).rejects.toMatchObject({ code: 'ECANCELLED' });
  });

  test('many names that are never answered hold up no other', async () => {
    const resolve = await resolverFor({ 'slow.example.com': null, 'hooks.example.com': ['192.0.2.1'] });
    const abort = new AbortController();
    const stuck = Array.from({ length: 50 }, () => resolve('slow.example.com', abort.signal));
    const settled = Promise.allSettled(stuck);
    const start = performance.now();
    expect(await resolve('hooks.example.com', never)).toEqual(['192.0.2.1']);
    expect(performance.now() - start).toBeLessThan(1_400);
    abort.abort();
    await settled;
  });

  test('for development names are resolved as the system does', async () => {
    const addresses = await resolveAnyHost('localhost');
    expect(addresses.every((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
    expect(addresses).not.toHaveLength(0);
  });
});
