import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerCertificate } from './tls/authority.ts';

interface ConnectProxyOptions {
  /** `user:password` that it asks for. */
  readonly login?: string;
  /** Makes it a proxy that is reached over TLS. */
  readonly certificate?: ServerCertificate;
  /** The port on this computer that a name stands for; by default the one that is asked for. */
  readonly portOf?: (authority: string) => number;
}

/** A real HTTP proxy: it opens tunnels to this computer (CONNECT), forwards nothing else, and tells what it was asked for. */
export async function startConnectProxy({ login, certificate, portOf }: ConnectProxyOptions = {}) {
  const targets: string[] = [];
  const refused: string[] = [];
  const sockets = new Set<Duplex>();
  const plain: RequestListener = (_request, response) => void response.writeHead(405).end();
  const server = certificate === undefined ? createServer(plain) : createTlsServer({ ...certificate }, plain);
  server.on('connect', (request, near: Socket, head: Buffer) => {
    const authority = request.url ?? '';
    near.on('error', () => {});
    const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== expected) {
      refused.push(authority);
      return void near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    }
    targets.push(authority);
    const port = portOf?.(authority) ?? Number(authority.split(':').at(-1));
    const far = connect(port, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.write(head);
      near.pipe(far).pipe(near);
    });
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    for (const socket of [near, far]) sockets.add(socket);
  });
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    url: `${certificate === undefined ? 'http' : 'https'}://${login === undefined ? '' : `${login}@`}127.0.0.1:${port}`,
    /** Each `HOST:PORT` that a tunnel was opened to, in order. */
    targets,
    /** Each that was refused for want of the login. */
    refused,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
