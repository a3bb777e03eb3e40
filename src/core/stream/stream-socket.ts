import type { Alert } from '../alerts/alert.ts';
import type { Degraded, Recovered } from '../feed-health/degraded-notice.ts';
import type { Tier } from '../tier.ts';
import type { StreamClose } from './close-codes.ts';

/** One text message, framed as RFC 6455 wants it: written to the wire as it is. */
export type Frame = Uint8Array;

/** The far end of a client: a socket that takes whole frames. None of its calls throws, also when it is closed. */
export interface StreamSocket {
  send(frame: Frame): void;
  /** What is sent until `release` leaves in one write. */
  hold(): void;
  release(): void;
  /** Bytes that were sent and have not left the process, those that are held among them. */
  unsentBytes(): number;
  /** Begins the closing handshake, and lets go of the connection soon whether or not the other side answers. */
  close(close: StreamClose): void;
}

/** The messages of the server, made ready to be sent. All but `alert` carry the newest head of the log: ask for one when it is sent. */
export interface StreamFrames {
  readonly pong: Frame;
  /** Says what is right; for a message that nobody knows. */
  readonly unknownMessage: Frame;
  /** `ignored`: what the client asked for and nobody knows; null when there is nothing. */
  connected(tier: Tier, ignored: string | null): Frame;
  /** Ids that are left out, both ends included. */
  gap(from: number, to: number): Frame;
  alert(alert: Alert): Frame;
  /** The feed is blind, and what comes may come late. */
  degraded(degraded: Degraded): Frame;
  recovered(recovered: Recovered): Frame;
}
