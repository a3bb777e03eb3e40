import type { AddressInfo, Socket } from 'node:net';
import Fastify from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';
import { WebSocketServer } from 'ws';

/** What the bare server answers, and what it sends to all that are connected for each request of `/publish`. */
export interface BareAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

// What one writes who wants nothing but speed: bytes that are ready, and one loop over all sockets.
process.once('message', async ({ path, headers, text }: BareAnswer) => {
  const bytes = Buffer.from(text);
  const app = Fastify();
  collectDefaultMetrics();
  app.get('/metrics', () => register.metrics());
  app.get(path, (_request, reply) => {
    reply.headers(headers).send(bytes);
  });
  const sockets = new Set<Socket>();
  const frames = new WebSocketServer({ server: app.server, perMessageDeflate: false });
  frames.on('connection', (client, { socket }) => {
    client.on('error', () => {});
    client.on('close', () => sockets.delete(socket));
    sockets.add(socket);
  });
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/publish', ({ body }, reply) => {
    for (const socket of sockets) socket.write(body as Buffer);
    reply.send();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit());
