import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export const STREAM_PATH = '/ws/alerts';

/** Node stores the response that is being written on its socket. */
interface BusySocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Whether a request is upgraded. All others are handled as ordinary requests, also one that was pipelined: an upgrade would cut
 * off the pending response.
 */
export function isStreamUpgrade({ method, url = '', headers, socket }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0]?.replace(/\/$/, '');
  const isIdle = ((socket as BusySocket)._httpMessage ?? null) === null;
  return method === 'GET' && path === STREAM_PATH && asksForSocket(headers) && isIdle;
}

function asksForSocket({ upgrade }: IncomingMessage['headers']): boolean {
  return upgrade?.trim().toLowerCase() === 'websocket';
}
