import { afterEach, expect, test } from 'vitest';
import { createPublicResolver, resolveAnyHost } from '../../../src/infra/outgoing/guarded-connect.ts';
import { type NameServer, startNameServer } from '../../support/receivers/name-server.ts';

let server: NameServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const IPV6 = '2606:4700:0:0:0:0:0:1111';

async function resolverFor(names: Parameters<typeof startNameServer>[0]) {
  server = await startNameServer(names);
  return createPublicResolver([server.address]);
}
const never = new AbortController().signal;

test('a name leads to all its addresses, those of IPv4 first', async () => {
  const resolve = await resolverFor({ 'hooks.example.com': [IPV6, '192.0.2.1', '192.0.2.2'] });
  const addresses = await resolve('hooks.example.com', never);
  expect([...addresses.slice(0, 2)].sort()).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(addresses[2]).toBe('2606:4700::1111');
});

test('a name with one kind of address is enough', async () => {
  const resolve = await resolverFor({ 'four.example.com': ['192.0.2.1'], 'six.example.com': [IPV6] });
  expect(await resolve('four.example.com', never)).toEqual(['192.0.2.1']);
  expect(await resolve('six.example.com', never)).toEqual(['2606:4700::1111']);
});

test('each name is asked for once, for each kind of address, and nothing is added to it', async () => {
  const resolve = await resolverFor({ 'hooks.example.com': ['192.0.2.1'] });
  await resolve('hooks.example.com', never);
  expect(server?.asked).toEqual(['hooks.example.com', 'hooks.example.com']);
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
  expect(performance.now() - start).toBeLessThan(1_000);
  abort.abort();
  await settled;
});

test('for development names are resolved as the system does', async () => {
  const addresses = await resolveAnyHost('localhost');
  expect(addresses.every((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
  expect(addresses).not.toHaveLength(0);
});
