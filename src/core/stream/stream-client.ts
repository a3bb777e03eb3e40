import type { Degraded } from '../feed-health/degraded-notice.ts';
import type { StreamFilter } from './stream-filter.ts';
import type { StreamSocket } from './stream-socket.ts';

/** One open socket. */
export interface StreamClient {
  readonly keyId: string;
  /** The lookup part of the secret it was opened with. */
  readonly lookup: string;
  readonly socket: StreamSocket;
  readonly filter: StreamFilter;
  /** The last alert that was sent or did not match the filter. */
  cursor: number;
  /** An id from the client that this process does not know yet. Nothing is sent until the store was asked. */
  claimed: number | null;
  /** What must happen before the next alert can be sent. */
  waitsFor: 'nothing' | 'store' | 'drain';
  /** The `degraded` notice that the client was sent; null without one, or after `recovered`. */
  notified: Degraded | null;
  isEnded: boolean;
}
