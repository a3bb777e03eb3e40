import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

/** One connection of a client, as the server sees it. */
export type StandInSocket = ReturnType<typeof standInSocket>;

/** The service, as far as a client of the stream knows it, doing what a test says; until the test ends. */
export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

export async function startStandIn() {
  const asked: string[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const arrivals = createQueue<StandInSocket>();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    const pages: Record<string, () => unknown> = {
      '/api/v1/alerts': () => standIn.archive(searchParams),
      '/api/v1/outcomes': () => pageOf('outcomes', Number(searchParams.get('after')), standIn.outcomes),
      '/api/v1/exits': () => pageOf('exits', Number(searchParams.get('after')), standIn.exits),
    };
    const page = (pages[pathname] ?? (() => [{ id: standIn.newestId }]))();
    const status = page === null ? 503 : standIn.restStatus;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status >= 400 ? { detail: 'No.' } : page));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const query = new URL(request.url ?? '', 'http://host').searchParams;
    standIn.onHandshake(query, request.headers);
    const status = standIn.handshakeStatus;
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (client) => arrivals.put(standInSocket(client, query)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    for (const client of sockets.clients) client.terminate();
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  });
  const standIn = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked as readonly string[],
    newestId: 0,
    /** A number of 400 and more is answered instead. */
    restStatus: 200,
    outcomes: 0,
    exits: 0,
    /** The answer of `GET /alerts`; null: a 503. */
    archive: (_query: URLSearchParams): unknown => ({ alerts: [], has_more: false }),
    /** Handshakes are answered with this; null: they succeed. */
    handshakeStatus: null as number | null,
    /** Called at every handshake, refused or not. */
    onHandshake: (_query: URLSearchParams, _headers: IncomingHttpHeaders): void => {},
    /** The next connection that was made and not taken yet. */
    connection: arrivals.take,
  };
  return standIn;
}

/** Two events at most, so that there are pages. */
function pageOf(list: 'outcomes' | 'exits', after: number, last: number) {
  const end = Math.min(last, after + 2);
  const events = Array.from({ length: Math.max(0, end - after) }, (_, index) => ({
    number: after + 1 + index,
  }));
  return { [list]: events, last, has_more: end < last };
}

function standInSocket(client: WebSocket, query: URLSearchParams) {
  const received: string[] = [];
  const messages = createQueue<string>();
  let pings = 0;
  client.on('ping', () => {
    pings += 1;
  });
  client.on('error', () => {});
  client.on('message', (data) => {
    received.push(String(data));
    messages.put(String(data));
  });
  return {
    query,
    received: received as readonly string[],
    pings: () => pings,
    send: (frame: unknown) =>
      client.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    message: messages.take,
    close: (code: number, reason?: string) => client.close(code, reason),
    drop: () => client.terminate(),
    closed: new Promise<number>((resolve) => client.on('close', resolve)),
  };
}

/** What was put is taken in its order; who takes first waits. */
export function createQueue<Item>() {
  const items: Item[] = [];
  const takers: ((item: Item) => void)[] = [];
  return {
    put(item: Item): void {
      const taker = takers.shift();
      if (taker === undefined) items.push(item);
      else taker(item);
    },
    take: () =>
      new Promise<Item>((resolve) => {
        const item = items.shift();
        if (item === undefined) takers.push(resolve);
        else resolve(item);
      }),
  };
}
