import { fillHash } from '../../../core/detection/fill-hash.ts';
import { TimedHashSet } from '../../../core/detection/timed-hash-set.ts';
import { MINUTE_MS } from '../../../core/duration.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { ListedFill } from './equal-fills.ts';

/** Listings of 40 minutes of a busy market, about 2 MB. The oldest trades are forgotten first. */
const REMEMBERED_FILLS = 100_000;

/** The trades that polling has listed, whichever source showed them first. Silence of the list is judged by these alone. */
export class FirstListings {
  readonly #listed = new TimedHashSet(REMEMBERED_FILLS);

  /** Times of the fills that were not listed before. */
  timesOf(fills: readonly ListedFill[]): EpochMs[] {
    const times: EpochMs[] = [];
    for (const { trade } of fills) {
      const minute = Math.max(1, Math.floor(trade.at / MINUTE_MS));
      if (!this.#listed.add(fillHash(trade), minute, 1)) times.push(trade.at);
    }
    return times;
  }
}
