import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckedAnswer } from '../../test/support/openapi-checker.ts';

export interface Recorder extends AsyncDisposable {
  readonly address: string;
  readonly answers: readonly CheckedAnswer[];
}

/** Clients in every language are recorded alike: some keep no bytes of an answer. */
export async function startRecorder(service: string): Promise<Recorder> {
  const answers: CheckedAnswer[] = [];
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const sent = await bytesOf(request);
    const answer = await fetch(service + path, {
      method,
      headers: headersOf(request),
      ...(sent.length > 0 && { body: sent }),
    });
    const body = await answer.text();
    const { status, headers } = answer;
    const contentType = headers.get('content-type');
    answers.push({ method, path, status, contentType, body });
    response.writeHead(status, contentType === null ? {} : { 'content-type': contentType }).end(body);
  }
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const names = ['authorization', 'content-type', 'accept', 'idempotency-key', 'if-none-match'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
