import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerCertificate } from './authority.ts';

export type TestHttpsServer = Awaited<ReturnType<typeof startHttpsServer>>;

export async function startHttpsServer(certificate: ServerCertificate, listener: RequestListener) {
  const server = createServer({ ...certificate }, listener);
  // What a client makes of a bad certificate is for the client to say.
  server.on('tlsClientError', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
