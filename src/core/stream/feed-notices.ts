import type { Degraded, Recovered } from '../feed-health/degraded-notice.ts';
import type { StreamClient } from './stream-client.ts';
import type { StreamFrames } from './stream-socket.ts';

/** The state of the feed, for clients. A client that was not sent `degraded` is not sent `recovered`. */
export class FeedNotices {
  readonly #frames: Pick<StreamFrames, 'degraded' | 'recovered'>;
  #degraded: Degraded | null = null;
  #recovered: Recovered | null = null;

  constructor(frames: Pick<StreamFrames, 'degraded' | 'recovered'>) {
    this.#frames = frames;
  }

  degrade(state: Degraded): void {
    this.#degraded = state;
  }

  recover(state: Recovered): void {
    this.#degraded = null;
    this.#recovered = state;
  }

  /** Sends the current state to a client that has all its alerts, if it does not know it. */
  notify(client: StreamClient): void {
    if (client.notified === this.#degraded) return;
    client.notified = this.#degraded;
    if (this.#degraded !== null) client.socket.send(this.#frames.degraded(this.#degraded));
    else if (this.#recovered !== null) client.socket.send(this.#frames.recovered(this.#recovered));
  }
}
