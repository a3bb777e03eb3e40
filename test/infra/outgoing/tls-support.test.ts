import { createServer } from 'node:http';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Authority,
  createAuthority,
  type ServerCertificate,
  trust,
} from '../../support/tls/authority.ts';
import { startHttpsServer } from '../../support/tls/https-server.ts';
import { startTlsProxy } from '../../support/tls/tls-proxy.ts';

let authority: Authority;
let distrust: () => void;

beforeAll(async () => {
  authority = await createAuthority();
  distrust = trust(authority);
});
afterAll(() => distrust());

/** The code of what went wrong in the handshake, or null. */
function handshake(port: number, servername: string): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', servername }, () => {
      done(null);
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });
}

async function handshakeWith(certificate: ServerCertificate, servername: string) {
  const server = await startHttpsServer(certificate, (_request, response) => response.end());
  const outcome = await handshake(server.port, servername);
  await server.close();
  return outcome;
}

test('a certificate of the authority is taken for its names, and for no others', async () => {
  const certificate = await authority.issue({ names: ['hooks.example.test', 'localhost', '127.0.0.1'] });
  expect(await handshakeWith(certificate, 'hooks.example.test')).toBeNull();
  expect(await handshakeWith(certificate, 'localhost')).toBeNull();
  expect(await handshakeWith(certificate, 'other.example.test')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('one that ended, and one of another authority, are not', async () => {
  const names = ['localhost'];
  const other = await createAuthority('Another authority');
  expect(await handshakeWith(await authority.issue({ names, expired: true }), 'localhost')).toBe(
    'CERT_HAS_EXPIRED',
  );
  expect(await handshakeWith(await other.issue({ names }), 'localhost')).toBe(
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  );
});

test('what an authority vouches for is refused again once it is not trusted any more', async () => {
  const other = await createAuthority('A passing authority');
  const undo = trust(other);
  const certificate = await other.issue({ names: ['localhost'] });
  expect(await handshakeWith(certificate, 'localhost')).toBeNull();
  undo();
  expect(await handshakeWith(certificate, 'localhost')).not.toBeNull();
});

test('the proxy passes what is inside TLS both ways, an upgraded connection too', async () => {
  const plain = createServer();
  plain.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening));
  const target = { host: '127.0.0.1', port: (plain.address() as AddressInfo).port };
  const proxy = await startTlsProxy(await authority.issue({ names: ['localhost'] }), target);
  const socket = connect({ port: proxy.port, host: '127.0.0.1', servername: 'localhost' });
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
  let seen = '';
  for await (const chunk of socket) {
    seen += chunk;
    if (seen.endsWith('\r\n\r\n')) socket.end('said and heard');
  }
  expect(seen).toMatch(/^HTTP\/1\.1 101 [\s\S]*said and heard$/);
  await proxy.close();
  await new Promise((closed) => plain.close(closed));
});

test('a closed proxy leaves no connection open', async () => {
  const plain = createServer();
  await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening));
  const target = { host: '127.0.0.1', port: (plain.address() as AddressInfo).port };
  const proxy = await startTlsProxy(await authority.issue({ names: ['localhost'] }), target);
  const socket = connectPlain(proxy.port, '127.0.0.1');
  await new Promise((connected) => socket.on('connect', connected));
  const ended = new Promise((closed) => socket.on('close', closed));
  socket.on('error', () => {});
  await proxy.close();
  await ended;
  await new Promise((closed) => plain.close(closed));
});
