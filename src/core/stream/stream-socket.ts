import type { Alert } from '../alerts/alert.ts';
import type { Degraded, Recovered } from '../feed-health/degraded-notice.ts';
import type { Tier } from '../tier.ts';
import type { StreamClose } from './close-codes.ts';

/** The UTF-8 bytes of one text message. */
export type Frame = Uint8Array;

/** The socket of a client. No call throws, not even after the socket has closed. */
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
