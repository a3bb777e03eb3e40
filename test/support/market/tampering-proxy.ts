import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An answer of the market on its way; a tamper changes it in place. */
export interface PassingAnswer {
  readonly path: string;
  readonly query: URLSearchParams;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test changes whatever was answered
  body: any;
}

export interface Tampering {
  /** Changes what is asked. */
  readonly ask?: (url: URL) => void;
  readonly answer?: (answer: PassingAnswer) => void;
}

/** A server in front of the market's REST APIs, or of a node's JSON-RPC. */
export async function startTamperingProxy(
  target: string,
  { ask = () => {}, answer = () => {} }: Tampering,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    // The doctor may be done before the market answers.
    forward(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', target);
    ask(url);
    const { method = 'GET' } = request;
    const body = method === 'GET' ? null : await text(request);
    const upstream = await fetch(url, { method, body });
    const passing = {
      path: url.pathname,
      query: url.searchParams,
      status: upstream.status,
      body: await upstream.json(),
    };
    answer(passing);
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    for (const name of ['date', 'age', 'x-cache']) {
      const value = upstream.headers.get(name);
      if (value !== null) headers[name] = value;
    }
    response.writeHead(passing.status, headers);
    response.end(JSON.stringify(passing.body));
  }

  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}
