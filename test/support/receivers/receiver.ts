import type { IncomingHttpHeaders } from 'node:http';
import type { ServerCertificate } from '../tls/authority.ts';
import { bodyOf, startHttpsServer } from '../tls/https-server.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver of webhooks that does all as it should. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver(certificate: ServerCertificate) {
  const received: Received[] = [];
  const server = await startHttpsServer(certificate, async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body: await bodyOf(request) });
    response.end('thank you');
  });
  return { ...server, received: received as readonly Received[] };
}
