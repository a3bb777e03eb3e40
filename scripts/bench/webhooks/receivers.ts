import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { ServerCertificate } from '../../../test/support/tls/authority.ts';

/** Where the receivers of each kind listen, on every address of the loopback network. */
export interface ReceiverPorts {
  readonly good: number;
  /** As good, and not counted. */
  readonly uncounted: number;
  /** Takes connections and says nothing. */
  readonly hanging: number;
  /** Answers 500. */
  readonly failing: number;
  /** Sends its answer a byte a second. */
  readonly dripping: number;
}

export type ReceiverOrder =
  | { readonly do: 'listen'; readonly certificate: ServerCertificate }
  /** Answers when the good receivers have got this number of deliveries since the last such command. */
  | { readonly do: 'expect'; readonly count: number };

export type ReceiverAnswer =
  | { readonly did: 'listen'; readonly ports: ReceiverPorts }
  /** When each came in, and which alert it was. */
  | { readonly did: 'expect'; readonly arrivals: readonly Arrival[] };

export interface Arrival {
  readonly alert: number;
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number;
}

const DRIP_MS = 1_000;
const BACKLOG = 4_096;

let arrivals: Arrival[] = [];
let wanted: { count: number; tell: (arrivals: readonly Arrival[]) => void } | null = null;

process.on('message', (order: ReceiverOrder) => {
  void obey(order).then((answer) => process.send?.(answer));
});

async function obey(order: ReceiverOrder): Promise<ReceiverAnswer> {
  if (order.do === 'listen') return { did: 'listen', ports: await listenAll(order.certificate) };
  const came = await new Promise<readonly Arrival[]>((tell) => {
    wanted = { count: order.count, tell };
    look();
  });
  return { did: 'expect', arrivals: came };
}

/** One process serves all receivers, each at its own address of this machine. */
async function listenAll(certificate: ServerCertificate): Promise<ReceiverPorts> {
  const good = createServer({ ...certificate }, (request, response) => {
    const alert = Number(String(request.headers['webhook-id'] ?? '').split('_')[1] ?? 0);
    request.resume();
    request.on('end', () => {
      response.end();
      arrivals.push({ alert, at: performance.timeOrigin + performance.now() });
      look();
    });
  });
  const answering = (status: number) =>
    createServer({ ...certificate }, (request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(status).end());
    });
  const dripping = createServer({ ...certificate }, (request) => {
    const { socket } = request;
    const drip = setInterval(() => socket.write('H'), DRIP_MS);
    socket.on('close', () => clearInterval(drip));
    socket.on('error', () => {});
  });
  const hanging = createTcpServer((socket) => socket.on('error', () => {}));
  return {
    good: await listen(good),
    hanging: await listen(hanging),
    failing: await listen(answering(500)),
    uncounted: await listen(answering(200)),
    dripping: await listen(dripping),
  };
}

async function listen(server: Server): Promise<number> {
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen({ port: 0, host: '0.0.0.0', backlog: BACKLOG }, resolve);
  await listening;
  return (server.address() as AddressInfo).port;
}

function look(): void {
  if (wanted === null || arrivals.length < wanted.count) return;
  const { count, tell } = wanted;
  const came = arrivals.slice(0, count);
  arrivals = arrivals.slice(count);
  wanted = null;
  tell(came);
}
