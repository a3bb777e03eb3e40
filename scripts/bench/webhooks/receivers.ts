import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerCertificate } from '../../../test/support/tls/authority.ts';
import { Arrivals, serve } from '../remote.ts';

const BACKLOG = 4_096;

const arrivals = new Arrivals();

const functions = { listen, expect: (count: number) => arrivals.expect(count) };

export type Receivers = typeof functions;

serve(functions);

async function listen(certificate: ServerCertificate): Promise<number> {
  const server = createServer({ ...certificate }, (request, response) => {
    request.resume();
    request.on('end', () => {
      response.end();
      arrivals.add(1);
    });
  });
  await once(server.listen({ port: 0, host: '0.0.0.0', backlog: BACKLOG }), 'listening');
  return (server.address() as AddressInfo).port;
}
