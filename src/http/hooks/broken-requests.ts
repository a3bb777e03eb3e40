import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { earlyCode, helpLink, plainBody } from '../schemas/error-codes.ts';
import type { OperatorDeps } from '../server-deps.ts';
import { STANDING_HEADERS } from './security-headers.ts';

const STATUSES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Time for the client to read the last answer, which may be lost when the socket is destroyed. */
const LINGER_MS = 1_000;

export function createBrokenRequestAnswer({ onAnswer }: OperatorDeps) {
  const ending = new WeakSet<Socket>();
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || ending.has(socket)) return;
    ending.add(socket);
    const status = STATUSES[error.code ?? ''] ?? '400 Bad Request';
    onAnswer?.('none', Number(status.slice(0, 3)), 0);
    afterPending(socket, () => hangUp(status, socket));
  };
}

/** Of the service as a whole: `CONNECT` names no path. */
const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';

export function answerOddRequests(server: Server, { onAnswer }: OperatorDeps): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    onAnswer?.('none', 417, 0);
    const { headers, body } = refusalOf(417);
    response.writeHead(417, { ...headers, connection: 'close' }).end(body);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    onAnswer?.('none', 405, 0);
    // The client may go before it has its answer.
    socket.on('error', () => {});
    afterPending(socket, () => hangUp('405 Method Not Allowed', socket, { allow: METHODS }));
  });
}

/** Node stores the response that is being written on its socket. */
interface BusySocket extends Socket {
  readonly _httpMessage?: (ServerResponse & { readonly req: IncomingMessage }) | null;
}

/** Complete earlier requests are answered first. A request with an incomplete body never is. */
function afterPending(socket: BusySocket, act: () => void): void {
  const { _httpMessage: pending } = socket;
  if (pending?.req.complete === true) pending.once('close', () => afterPending(socket, act));
  else act();
}

export function hangUp(status: string, socket: Socket, more: Record<string, string | number> = {}): void {
  if (!socket.writable) return void socket.destroy();
  const { headers, body } = refusalOf(Number(status.slice(0, 3)));
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status}`, ...lines, 'connection: close', '', body].join('\r\n'));
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(cut));
}

function refusalOf(status: number) {
  const code = earlyCode(status);
  const body = JSON.stringify(plainBody(code));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'x-request-id': randomUUID(),
    ...STANDING_HEADERS,
    ...helpLink(code),
  };
  return { headers, body };
}
