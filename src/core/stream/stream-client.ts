import type { Degraded } from '../feed-health/degraded-notice.ts';
import type { StreamFilter } from './stream-filter.ts';
import type { StreamSocket } from './stream-socket.ts';

/** One open socket as the hub sees it. */
export interface StreamClient {
  readonly keyId: string;
  /** The lookup part of the secret it came with. */
  readonly lookup: string;
  readonly socket: StreamSocket;
  readonly filter: StreamFilter;
  /** The last alert that was handled: sent, or not wanted. */
  cursor: number;
  /** An id the client says it has and this process has not heard of; until the store was asked, nothing is sent. */
  claimed: number | null;
  /** What has to come before the next alert can be sent. */
  waitsFor: 'nothing' | 'store' | 'drain';
  /** What it was told last of a feed that is degraded; null when that is over for it. */
  wasNotified: Degraded | null;
  isEnded: boolean;
}

/** A client that has just come: one with a claim waits for the store. */
export function createStreamClient(
  given: Pick<StreamClient, 'keyId' | 'lookup' | 'socket' | 'filter' | 'cursor' | 'claimed'>,
): StreamClient {
  return {
    ...given,
    waitsFor: given.claimed === null ? 'nothing' : 'store',
    wasNotified: null,
    isEnded: false,
  };
}
