import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { cpuSeconds } from './figure.ts';
import { serve } from './remote.ts';

interface BareAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

// A separate process, like the service: neither warms up nor disturbs the other's code.
const functions = {
  async listen({ path, headers, text }: BareAnswer): Promise<string> {
    const bytes = Buffer.from(text);
    const app = Fastify();
    app.get(path, (_request, reply) => {
      reply.headers(headers).send(bytes);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  },
  cpuSeconds: () => cpuSeconds(),
};

export type BareServer = typeof functions;

serve(functions);
