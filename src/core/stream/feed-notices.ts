import type { Degraded, Recovered } from '../feed-health/degraded-notice.ts';
import type { StreamClient } from './stream-client.ts';
import type { StreamFrames } from './stream-socket.ts';

/** What clients are told of the feed itself. */
export interface FeedNotices {
  degrade(degraded: Degraded): void;
  recover(recovered: Recovered): void;
  /** Sends a client that has all its alerts what it was not told yet. */
  notify(client: StreamClient): void;
}

/** Tells nothing while the feed sees. Who was not told that it is degraded is not told that it is over. */
export function createFeedNotices(frames: Pick<StreamFrames, 'degraded' | 'recovered'>): FeedNotices {
  let degraded: Degraded | null = null;
  let recovered: Recovered | null = null;
  return {
    degrade(state) {
      degraded = state;
    },
    recover(state) {
      degraded = null;
      recovered = state;
    },
    notify(client) {
      if (client.wasNotified === degraded) return;
      client.wasNotified = degraded;
      if (degraded !== null) client.socket.send(frames.degraded(degraded));
      else if (recovered !== null) client.socket.send(frames.recovered(recovered));
    },
  };
}
