import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { type RateLimit, SlidingWindow } from '../../src/core/base/time/sliding-window.ts';
import type { DestinationAddress } from '../../src/core/follow/destination.ts';

/**
 * Discord names no numbers; 5 in 2 seconds for a webhook and 30 a minute for its channel are what its staff said
 * (github.com/discord/discord-api-docs/issues/367). Slack: "no more than one message per second", with short bursts
 * (docs.slack.dev/apis/web-api/rate-limits). ntfy: "60 requests per visitor at once", then one every 5 seconds, where a
 * visitor is an IP address or a user (docs.ntfy.sh/publish/#limitations).
 */
const LIMITS: Readonly<Record<DestinationAddress['kind'], readonly RateLimit[]>> = {
  discord: [
    { most: 5, windowMs: 2_000 },
    { most: 30, windowMs: 60_000 },
  ],
  slack: [{ most: 1, windowMs: 1_000 }],
  ntfy: [{ most: 60, windowMs: 300_000 }],
};
const REMEMBERED = 10_000;

interface Sent {
  readonly window: SlidingWindow;
  /** Until when the service asked to wait. */
  restsUntil: EpochMs;
}

/** Keeps the requests to each webhook, or to each server of ntfy, within the limits of its service. */
export class DestinationPace {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sent = new LRUCache<string, Sent>({ max: REMEMBERED });

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Milliseconds until one more request is within the limits. */
  waitMs(address: DestinationAddress): number {
    const { window, restsUntil } = this.#of(address);
    const free = LIMITS[address.kind].map((limit) => window.freeAt(limit));
    return Math.max(0, ...[restsUntil, ...free].map((at) => at - this.#clock.now()));
  }

  count(address: DestinationAddress): void {
    this.#of(address).window.add(this.#clock.now());
  }

  rest(address: DestinationAddress, ms: number): void {
    this.#of(address).restsUntil = this.#clock.now() + ms;
  }

  #of(address: DestinationAddress): Sent {
    const key = limitedName(address);
    const known = this.#sent.get(key);
    if (known !== undefined) return known;
    const most = Math.max(...LIMITS[address.kind].map((limit) => limit.most));
    const sent = { window: new SlidingWindow(most), restsUntil: 0 };
    this.#sent.set(key, sent);
    return sent;
  }
}

/** What a service counts by. On a server of ntfy all topics without a user of their own are written to from one address. */
function limitedName({ kind, url }: DestinationAddress): string {
  const { origin, pathname, search } = new URL(url);
  return kind === 'ntfy' ? origin + search : origin + pathname;
}
