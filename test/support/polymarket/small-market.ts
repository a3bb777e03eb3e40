import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

type Answer = (asked: Asked, response: ServerResponse) => unknown;

/** A server of one answer: what `answer` returns is sent as JSON; undefined: it answered itself, or never will. */
export type SmallMarket = Awaited<ReturnType<typeof startSmallMarket>>;

export async function startSmallMarket(answer: Answer) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    // The real time is not that of a test's clock.
    response.sendDate = false;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://market');
    const one = { path: pathname, query: searchParams, headers: request.headers };
    asked.push(one);
    const value = market.answer(one, response);
    if (value === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const market = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return market;
}
