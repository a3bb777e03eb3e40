import type { Keys } from '../../accounts/keys/api-key.ts';
import type { Tier } from '../../accounts/tier.ts';
import type { Alert } from '../../alerts/alert.ts';
import type { AlertStore } from '../../alerts/alert-store.ts';
import type { Feed } from '../../alerts/ledger/feed.ts';
import type { EventKind } from '../../alerts/numbered-events.ts';
import { type LastingFilter, passesFilter } from '../../alerts/passes-filter.ts';
import type { Logger } from '../../base/logger.ts';
import type { SteadyClock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Degraded, Recovered } from '../../trades/coverage/coverage-watch.ts';
import type { StreamClose, StreamEnd } from './close-codes.ts';

/** One open socket. */
export interface StreamClient {
  readonly keyId: string;
  readonly lookup: string;
  readonly socket: StreamSocket;
  readonly filter: LastingFilter;
  /** The kinds of events that it wants besides alerts. */
  readonly events: readonly EventKind[];
  /** The last alert that was sent or did not match the filter. */
  cursor: number;
  /** An id from the client that this process does not know yet. Nothing is sent until the store was asked. */
  claimed: number | null;
  /** What must happen before the next alert can be sent. */
  waitsFor: 'nothing' | 'store' | 'drain';
  /** The `degraded` notice that the client was sent; null without one, or after `recovered`. */
  notified: Degraded | null;
  /** Whether it is in the queue of the `Forwarder`. */
  isQueued: boolean;
  isEnded: boolean;
}

/** Whether the alert is sent to a client with this filter. History is never sent. */
export function isWanted(filter: LastingFilter, alert: Alert): boolean {
  return !alert.isHistory && passesFilter(alert, filter);
}

/** One text message as a WebSocket frame (RFC 6455), written to the connection as it is. */
export type Frame = Uint8Array;

/** The socket of a client. No call throws, not even after the socket has closed. */
export interface StreamSocket {
  send(frame: Frame): void;
  /** Frames sent until `release` are written together. */
  hold(): void;
  release(): void;
  /** Bytes sent that have not left the process, including held ones. */
  unsentBytes(): number;
  /** Starts the closing handshake. The connection ends soon, even if the client does not answer. */
  close(close: StreamClose): void;
}

/** The frames of the server. All but those of alerts carry the newest head of the log, so make them when they are sent. */
export interface StreamFrames {
  readonly pong: Frame;
  readonly unknownMessage: Frame;
  connected(tier: Tier): Frame;
  /** The first and the last omitted id. */
  gap(from: number, to: number): Frame;
  alert(alert: Alert): Frame;
  sample(now: EpochMs): Frame;
  degraded(degraded: Degraded): Frame;
  recovered(recovered: Recovered): Frame;
}

/** Metrics of the stream. */
export interface StreamMetrics {
  /** A socket was opened. Each ends once. */
  streamOpened(): void;
  streamEnded(end: StreamEnd): void;
  /** Alerts sent, counted once for each socket. */
  streamSent(frames: number): void;
}

/** Stores, feed and functions that a `StreamHub` uses. */
export interface StreamHubOptions {
  readonly alerts: Pick<AlertStore, 'after' | 'byId' | 'latest'>;
  readonly keys: Pick<Keys, 'byIds'>;
  readonly feed: Pick<Feed, 'subscribe'>;
  readonly clock: SteadyClock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: StreamMetrics;
  readonly frames: StreamFrames;
  /** Runs a task in a later turn of the event loop. */
  readonly defer: (task: () => void) => void;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}
