import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

/** What the bare route sends. */
export interface BareAnswer {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type BareMessage = { readonly port: number } | { readonly cpuSeconds: number };

// A separate process, like the service: neither warms up nor disturbs the other's code.
process.on('message', (message: BareAnswer | 'cpu') => {
  if (message !== 'cpu') return void listen(message);
  const { user, system } = process.cpuUsage();
  tell({ cpuSeconds: (user + system) / 1e6 });
});

async function listen({ path, status, headers, text }: BareAnswer): Promise<void> {
  const bytes = Buffer.from(text);
  const app = Fastify();
  app.get(path, (_request, reply) => {
    reply.code(status).headers(headers).send(bytes);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  tell({ port: (app.server.address() as AddressInfo).port });
}

function tell(message: BareMessage): void {
  process.send?.(message);
}
