import type { TLSSocket } from 'node:tls';
import { Client } from 'undici';

/** A TLS connection that speaks HTTP/1.1, one request at a time. */
export interface HttpConnection {
  /** Fails with `ConnectionGone` when the other side hung up before anything was sent. */
  readonly client: Client;
  readonly isOpen: boolean;
  /** Calls back once more than so many bytes have come from now on, parsed or not. Returns what ends the watch. */
  onExcess(bytes: number, report: () => void): () => void;
  end(): Promise<void>;
}

/** The other side hung up on an idle connection. */
export class ConnectionGone extends Error {}

/**
 * Receivers hang up on idle connections after some seconds, and a request that meets that moment is lost. Of those that
 * do not say when, some do after 2 seconds (gunicorn, for one), so a connection is kept for 1; where they do say,
 * for a second less, and never more than 2.
 */
const KEEP_ALIVE = { keepAliveTimeout: 1_000, keepAliveMaxTimeout: 2_000, keepAliveTimeoutThreshold: 1_000 };
const MAX_HEADER_BYTES = 16_384;

/** `onClose` is called once, when the connection ended. Time limits are the caller's. */
export function createHttpConnection(origin: string, socket: TLSSocket, onClose: () => void): HttpConnection {
  let isHandedOver = false;
  const client = new Client(origin, {
    ...KEEP_ALIVE,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(_options, give) {
      const isGone = isHandedOver;
      isHandedOver = true;
      // The client does not expect to be answered at once.
      queueMicrotask(() => (isGone ? give(new ConnectionGone(), null) : give(null, socket)));
    },
  });
  socket.once('close', onClose);
  return {
    client,
    get isOpen() {
      return !socket.destroyed;
    },
    onExcess(bytes, report) {
      const most = socket.bytesRead + bytes;
      // After the client has read: what came in time counts.
      const look = () => queueMicrotask(() => socket.bytesRead > most && report());
      socket.on('readable', look);
      return () => void socket.off('readable', look);
    },
    async end() {
      socket.destroy();
      await client.destroy();
    },
  };
}
