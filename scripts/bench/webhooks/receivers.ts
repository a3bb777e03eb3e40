import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerCertificate } from '../../../test/support/tls/authority.ts';

export type ReceiverOrder =
  | { readonly do: 'listen'; readonly certificate: ServerCertificate }
  /** Answers once so many deliveries came in since the last order of this kind. */
  | { readonly do: 'expect'; readonly count: number };

export type ReceiverAnswer = { readonly did: 'listen'; readonly port: number } | { readonly did: 'expect' };

let received = 0;
let wanted: { count: number; tell: () => void } | null = null;

process.on('message', (order: ReceiverOrder) => {
  void obey(order).then((answer) => process.send?.(answer));
});

async function obey(order: ReceiverOrder): Promise<ReceiverAnswer> {
  if (order.do === 'listen') return { did: 'listen', port: await listen(order.certificate) };
  await new Promise<void>((tell) => {
    wanted = { count: order.count, tell };
    look();
  });
  return { did: 'expect' };
}

/** One server stands for all receivers: each is an address of this machine of its own. */
async function listen(certificate: ServerCertificate): Promise<number> {
  const server = createServer({ ...certificate, keepAlive: true }, (request, response) => {
    request.resume();
    request.on('end', () => {
      response.end();
      received += 1;
      look();
    });
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '0.0.0.0', 4_096, resolve);
  await listening;
  return (server.address() as AddressInfo).port;
}

function look(): void {
  if (wanted === null || received < wanted.count) return;
  const { count, tell } = wanted;
  received -= count;
  wanted = null;
  tell();
}
