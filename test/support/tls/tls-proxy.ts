import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { ServerCertificate } from './authority.ts';

export type TlsProxy = Awaited<ReturnType<typeof startTlsProxy>>;

/** Takes TLS on 127.0.0.1 and passes what is inside to a plain port: the service as https and wss, for one. */
export async function startTlsProxy(certificate: ServerCertificate, target: { host: string; port: number }) {
  const open = new Set<Socket>();
  const server = createServer(
    { ...certificate, ALPNProtocols: ['http/1.1'], allowHalfOpen: true },
    (near) => {
      link(near, connect({ ...target, allowHalfOpen: true }));
    },
  );
  server.on('tlsClientError', () => {});
  server.on('connection', keep);

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  }
  function link(near: TLSSocket, far: Socket): void {
    keep(far);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.on('error', () => {});
      from.on('close', () => to.destroySoon());
      from.pipe(to);
    }
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
