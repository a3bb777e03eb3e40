import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { ServerCertificate } from '../../../test/support/tls/authority.ts';
import { serve } from '../remote.ts';

/** Which alert came in, and when. */
export interface Arrival {
  readonly alert: number;
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number;
}

const DRIP_MS = 1_000;
const BACKLOG = 4_096;

let arrivals: Arrival[] = [];
let wanted: { count: number; tell: (arrivals: readonly Arrival[]) => void } | null = null;

const functions = {
  listen: listenAll,
  /** Resolves when the good receivers have got this number of deliveries since the last call, with those deliveries. */
  expect: (count: number) =>
    new Promise<readonly Arrival[]>((tell) => {
      wanted = { count, tell };
      look();
    }),
};

/** The receivers of webhooks, in a process of their own. */
export type Receivers = typeof functions;

serve(functions);

/** One process serves all receivers, each at its own address of the loopback network. Returns the port of each kind. */
async function listenAll(certificate: ServerCertificate) {
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
    /** As good, and not counted. */
    uncounted: await listen(answering(200)),
    /** Takes connections and says nothing. */
    hanging: await listen(hanging),
    /** Answers 500. */
    failing: await listen(answering(500)),
    /** Sends its answer a byte a second. */
    dripping: await listen(dripping),
    /** No process listens there. */
    refusing: 1,
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
