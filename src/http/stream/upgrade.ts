import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export const STREAM_PATH = '/ws/alerts';

/** Node keeps the answer that is being written on its socket. */
interface BusySocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Whether a request becomes a socket: any other keeps its place among the requests, as if it had not asked. So does
 * one that was sent ahead of an answer, which a socket would cut off.
 */
export function isStreamUpgrade({ method, url = '', headers, socket }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0]?.replace(/\/$/, '');
  const isIdle = ((socket as BusySocket)._httpMessage ?? null) === null;
  return method === 'GET' && path === STREAM_PATH && asksForSocket(headers) && isIdle;
}

function asksForSocket({ upgrade }: IncomingMessage['headers']): boolean {
  return upgrade?.trim().toLowerCase() === 'websocket';
}
