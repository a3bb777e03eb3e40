import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { CLOSE_CODES, type StreamEnd } from '../../core/stream/close-codes.ts';
import type { StreamHub, StreamRequest } from '../../core/stream/stream-hub.ts';
import type { StreamSocket } from '../../core/stream/stream-socket.ts';

/** Codes for clients that do not read, or send too much: they get no more time for the closing handshake. */
const FORCED_CLOSE_CODES: readonly number[] = [CLOSE_CODES.tooSlow.code, CLOSE_CODES.tooManyMessages.code];
const FORCED_CLOSE_MS = 1_000;

const PROTOCOL_ENDS: Readonly<Record<string, StreamEnd>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'tooLarge',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'tooManyParts',
  WS_ERR_INVALID_UTF8: 'notText',
};

/** Attaches an open socket to the hub. All listeners are set before this returns, so that no message after the handshake is lost. */
export function connectSocket(
  hub: Pick<StreamHub, 'attach'>,
  { socket, raw }: { readonly socket: WebSocket; readonly raw: Socket },
  visitor: StreamRequest,
): void {
  const session = hub.attach(toStreamSocket(socket, raw), visitor);
  let end: StreamEnd = 'client';
  socket.on('message', (data, isBinary) => session.message(isBinary ? null : String(data)));
  socket.on('ping', () => session.controlFrame());
  socket.on('pong', () => session.controlFrame());
  socket.on('error', (error: Error & { code?: string }) => {
    if (error.code?.startsWith('WS_ERR_')) end = PROTOCOL_ENDS[error.code] ?? 'protocolError';
  });
  socket.on('close', () => session.gone(end));
  raw.on('drain', () => session.drained());
}

function toStreamSocket(socket: WebSocket, raw: Socket): StreamSocket {
  return {
    send(frame) {
      if (socket.readyState === socket.OPEN) raw.write(frame);
    },
    hold: () => raw.cork(),
    release: () => raw.uncork(),
    unsentBytes: () => raw.writableLength,
    close({ code, reason }) {
      socket.close(code, reason);
      if (!FORCED_CLOSE_CODES.includes(code)) return;
      const cut = setTimeout(() => socket.terminate(), FORCED_CLOSE_MS);
      socket.once('close', () => clearTimeout(cut));
    },
  };
}
