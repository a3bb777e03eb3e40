import type { Clock } from '../../../core/clock.ts';
import { fillKey } from '../../../core/detection/fill-hash.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { Metrics } from '../../../core/ports/metrics.ts';
import type { LiveRow } from '../../../core/ports/source.ts';
import type { EpochMs, Trade } from '../../../core/trade.ts';
import { rarely } from './rarely.ts';

/** What 500 trades a second show until the feed is called blind (25 s), with room; the oldest are forgotten first. */
const MOST_SIGHTINGS = 20_000;
/** Polling reads each listing again for some minutes: what it has not listed by then it never will. */
const CONFIRM_MS = 10 * MINUTE_MS;
/** The list lags 11 s and is polled each second: what it has not shown for so long it does not list as it should. */
const UNLISTED_MS = 15 * SECOND_MS;
const SWEEP_MS = SECOND_MS;
const LOG_EVERY_MS = MINUTE_MS;

export interface SightingsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'sightingEnded'>;
  /** Whether polling is blind, so that sightings are all there is. */
  isBlind(): boolean;
  /** Whether polling catches up, or will have to from long ago: its trades are older, and have to be judged first. */
  isBehind(): boolean;
  /** Whether the fill was judged, or is on its way there. */
  knows(fill: Trade): boolean;
  /** Takes rows, oldest first. Resolves when there is room for more. */
  offer(rows: readonly LiveRow[]): Promise<void>;
}

/** Trades that the stream showed and polling did not list yet. */
export interface Sightings {
  /** The stream showed a trade. */
  saw(row: LiveRow): void;
  /** Polling listed a fill, known or not: this alone confirms a sighting that was offered itself. */
  listed(fill: Trade): void;
  /** When the first trade was made that was seen after this moment and has not been listed for 15 s; null: none. */
  unlistedSince(moment: EpochMs): EpochMs | null;
  /** Looks after them each second until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** How many are remembered: 20,000 at most. */
  readonly size: number;
}

interface Sighting {
  readonly trade: Trade;
  readonly seenAt: EpochMs;
  /** Null once it was offered. */
  row: LiveRow | null;
  /** When it counts as unconfirmed. Polling that is blind confirms nothing, so the time runs only while it sees. */
  until: EpochMs;
}

/** Remembers sightings until polling knows them; while polling is blind it offers them themselves, each once. */
export function createSightings(deps: SightingsDeps): Sightings {
  const { clock, metrics } = deps;
  // Kept by first sight, so the oldest come first.
  const waiting = new Map<string, Sighting>();
  const tellUnconfirmed = rarely(clock, LOG_EVERY_MS, (fills) =>
    deps.logger.warn({ fills }, 'the stream of the market showed trades that polling did not list'),
  );

  function listed(fill: Trade): void {
    if (waiting.size > 0 && waiting.delete(fillKey(fill))) metrics.sightingEnded('confirmed');
  }

  /** What was offered is known by that alone. */
  function settle(): void {
    const now = clock.now();
    const isBlind = deps.isBlind();
    for (const [key, sighting] of waiting) {
      if (sighting.row !== null && deps.knows(sighting.trade)) {
        waiting.delete(key);
        metrics.sightingEnded('confirmed');
      } else if (isBlind) {
        sighting.until = now + CONFIRM_MS;
      } else if (sighting.until <= now) {
        waiting.delete(key);
        metrics.sightingEnded('unconfirmed');
        tellUnconfirmed();
      }
    }
  }

  function takeUnoffered(): readonly LiveRow[] {
    const rows: LiveRow[] = [];
    for (const sighting of waiting.values()) {
      if (sighting.row !== null) rows.push(sighting.row);
      sighting.row = null;
    }
    return rows.toSorted((a, b) => (a.row.at ?? 0) - (b.row.at ?? 0));
  }

  return {
    saw(row) {
      if (row.row.kind !== 'trade') return;
      const { trade } = row.row;
      const key = fillKey(trade);
      if (waiting.has(key) || deps.knows(trade)) return;
      const seenAt = clock.now();
      waiting.set(key, { trade, seenAt, row, until: seenAt + CONFIRM_MS });
      if (waiting.size > MOST_SIGHTINGS) waiting.delete(waiting.keys().next().value as string);
    },
    listed,
    unlistedSince(moment) {
      const latest = clock.now() - UNLISTED_MS;
      for (const { trade, seenAt } of waiting.values())
        if (seenAt > moment && seenAt <= latest) return trade.at;
      return null;
    },
    async run(signal) {
      while (!signal.aborted) {
        settle();
        const rows = deps.isBlind() && !deps.isBehind() ? takeUnoffered() : [];
        if (rows.length > 0) await deps.offer(rows);
        await clock.sleep(SWEEP_MS, signal);
      }
    },
    get size() {
      return waiting.size;
    },
  };
}
