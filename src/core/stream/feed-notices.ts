import type { Degraded, Recovered } from '../coverage/degraded-notice.ts';
import type { Client } from './client.ts';
import type { StreamFrames } from './stream-socket.ts';

/** What clients are told of the feed itself. */
export interface FeedNotices {
  degrade(degraded: Degraded): void;
  recover(recovered: Recovered): void;
  /** Sends a client that has all its alerts what it was not told yet. */
  tell(client: Client): void;
}

/** Tells nothing while the feed sees. Who was not told that it is degraded is not told that it is over. */
export function createFeedNotices(frames: Pick<StreamFrames, 'degraded' | 'recovered'>): FeedNotices {
  let degraded: Client['told'] = null;
  let recovered: Client['told'] = null;
  return {
    degrade(state) {
      degraded = frames.degraded(state);
    },
    recover(state) {
      degraded = null;
      recovered = frames.recovered(state);
    },
    tell(client) {
      if (client.told === degraded) return;
      const frame = degraded ?? recovered;
      client.told = degraded;
      if (frame !== null) client.socket.send(frame);
    },
  };
}
