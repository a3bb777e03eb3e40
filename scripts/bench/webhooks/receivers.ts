import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerCertificate } from '../../../test/support/tls/authority.ts';
import { serve } from '../remote.ts';

const BACKLOG = 4_096;

let arrived = 0;
let wanted: { count: number; tell: () => void } | null = null;

const functions = {
  listen,
  expect: (count: number) =>
    new Promise<void>((tell) => {
      wanted = { count, tell };
      look();
    }),
};

export type Receivers = typeof functions;

serve(functions);

async function listen(certificate: ServerCertificate): Promise<number> {
  const server = createServer({ ...certificate }, (request, response) => {
    request.resume();
    request.on('end', () => {
      response.end();
      arrived += 1;
      look();
    });
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen({ port: 0, host: '0.0.0.0', backlog: BACKLOG }, resolve);
  await listening;
  return (server.address() as AddressInfo).port;
}

function look(): void {
  if (wanted === null || arrived < wanted.count) return;
  const { count, tell } = wanted;
  arrived -= count;
  wanted = null;
  tell();
}
