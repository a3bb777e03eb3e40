import type { Alert } from '../alerts/alert.ts';
import type { Degraded, Recovered } from '../feed-health/degraded-notice.ts';
import type { Tier } from '../tier.ts';
import type { StreamClose } from './close-codes.ts';

/** One text message as a WebSocket frame (RFC 6455), written to the connection as it is. */
export type Frame = Uint8Array;

/** The socket of a client. No call throws, not even after the socket has closed. */
export interface StreamSocket {
  send(frame: Frame): void;
  /** Frames sent until `release` are written together. */
  hold(): void;
  release(): void;
  /** Bytes sent that have not left the process, held ones included. */
  unsentBytes(): number;
  /** Starts the closing handshake. The connection ends soon, even if the client does not answer. */
  close(close: StreamClose): void;
}

/** The frames of the server. All but `alert` carry the newest head of the log, so make them when they are sent. */
export interface StreamFrames {
  readonly pong: Frame;
  /** The answer to an unknown message. */
  readonly unknownMessage: Frame;
  /** `ignored`: unknown query parameters; null if there are none. */
  connected(tier: Tier, ignored: string | null): Frame;
  /** The first and the last omitted id. */
  gap(from: number, to: number): Frame;
  alert(alert: Alert): Frame;
  /** The feed is degraded: alerts may be late. */
  degraded(degraded: Degraded): Frame;
  recovered(recovered: Recovered): Frame;
}
