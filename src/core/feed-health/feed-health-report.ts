import type { Clock } from '../clock.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { BlindWindow } from './blind-window.ts';
import type { FeedHealthStore, FeedPosition } from './feed-health-store.ts';
import { BLIND_AFTER_MS, CONFIRMED_BEHIND_MS } from './feed-record.ts';

/**
 * A position that is kept while the feed sees is never older: 25 s without a window after a fresh answer, what is
 * confirmed 12 s behind that, 5 s between two writes, a second between two looks, and one to spare. One that is older
 * was left by a process that is gone.
 */
export const LEFT_AFTER_MS = BLIND_AFTER_MS + CONFIRMED_BEHIND_MS + 7 * SECOND_MS;
/** How long after its end a window is expected to be filled. */
const FILLING_MS = 10 * MINUTE_MS;
/** The most windows that are summed up. */
const SUMMED_MAX = 10_000;

/**
 * How a live feed stands. `unknown`: none saw anything yet, or none runs here. `catching_up`: it sees, and what it missed
 * just now is still to come. `unconfirmed`: trades are shown by a source that vouches for nothing.
 */
export const FEED_STATES = ['live', 'catching_up', 'unconfirmed', 'blind', 'unknown'] as const;
export type FeedState = (typeof FEED_STATES)[number];

/** What the record says of now. */
export interface FeedView {
  readonly state: FeedState;
  /** When the feed watched for the first time; null when none ever ran. */
  readonly since: EpochMs | null;
  readonly confirmedUntil: EpochMs | null;
  /** The window that lasts, blind or unconfirmed. Of a feed that nobody runs it is not in the store yet; its cause is `stopped`. */
  readonly blind: BlindWindow | null;
  /** The newest window that is over; null when there is none. */
  readonly last: BlindWindow | null;
}

/** Windows of a time, and what they come to within it. */
export interface FeedHealthSummary {
  /** Newest first, at most as many as were asked for. */
  readonly windows: readonly BlindWindow[];
  /** How many there are in the whole time; 10,000 are counted at most. */
  readonly count: number;
  /** The part of the time that was to be watched. */
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Milliseconds of it: all, those that were blind, those that were unconfirmed, and of both those that are not filled. */
  readonly watchedMs: number;
  readonly blindMs: number;
  readonly unconfirmedMs: number;
  readonly unfilledMs: number;
}

/** Reads the record, in any process. Throws when the database does not answer. */
export interface FeedHealthReport {
  view(): Promise<FeedView>;
  /** Of [since, until]; what lies ahead of now, and before the watch began, counts for nothing. */
  summarise(query: { since: EpochMs; until: EpochMs; limit: number }): Promise<FeedHealthSummary>;
}

/** A report over the store. `isWatched`: false where a tape is served; the record ends where the live feed last ran then. */
export function createFeedHealthReport(deps: {
  readonly store: Pick<FeedHealthStore, 'windows' | 'readPosition'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly isWatched?: boolean;
}): FeedHealthReport {
  const { store, clock, isWatched = true } = deps;

  async function view(): Promise<FeedView> {
    const position = await store.readPosition();
    const [newest, before] = await store.windows({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 2 });
    const view = viewOf(position, { newest, before, now: clock.now() });
    return isWatched ? view : { ...view, state: 'unknown', blind: null };
  }

  return {
    view,
    async summarise({ since, until, limit }) {
      const [stored, { since: began, confirmedUntil, blind }] = await Promise.all([
        store.windows({ since, until, limit: SUMMED_MAX }),
        view(),
      ]);
      const isUnstored = blind !== null && blind.startedAt <= until && stored[0]?.id !== blind.id;
      const windows = isUnstored ? [blind, ...stored.filter(({ id }) => id !== blind.id)] : stored;
      const now = isWatched ? clock.now() : (confirmedUntil ?? clock.now());
      const from = Math.min(Math.max(since, began ?? now), now);
      const time = { from, until: Math.max(from, Math.min(until, now)) };
      const within = (list: readonly BlindWindow[]) =>
        list.reduce((sum, { startedAt, endedAt }) => {
          const ms = Math.min(endedAt ?? now, time.until) - Math.max(startedAt, time.from);
          return sum + Math.max(0, ms);
        }, 0);
      return {
        windows: windows.slice(0, limit),
        count: windows.length,
        ...time,
        watchedMs: time.until - time.from,
        blindMs: within(windows.filter(({ cause }) => cause !== 'unconfirmed')),
        unconfirmedMs: within(windows.filter(({ cause }) => cause === 'unconfirmed')),
        unfilledMs: within(windows.filter(({ backfilledAt }) => backfilledAt === null)),
      };
    },
  };
}

interface Newest {
  readonly newest: BlindWindow | undefined;
  readonly before: BlindWindow | undefined;
  readonly now: EpochMs;
}

function viewOf(position: FeedPosition | null, { newest, before, now }: Newest): FeedView {
  const { since = null, confirmedUntil = null } = position ?? {};
  if (since === null || confirmedUntil === null)
    return { state: 'unknown', since, confirmedUntil, blind: null, last: null };
  if (newest?.endedAt === null) {
    const state = newest.cause === 'unconfirmed' ? 'unconfirmed' : 'blind';
    return { state, since, confirmedUntil, blind: newest, last: before ?? null };
  }
  const last = newest ?? null;
  const seen = Math.max(confirmedUntil, last?.endedAt ?? 0);
  if (now - seen > LEFT_AFTER_MS) {
    const blind: BlindWindow = {
      ...{ id: `blind_${seen}`, startedAt: seen, endedAt: null },
      ...{ cause: 'stopped', backfilledAt: null },
    };
    return { state: 'blind', since, confirmedUntil, blind, last };
  }
  // The first watch begins with its own start for confirmed.
  if (confirmedUntil <= since) return { state: 'unknown', since, confirmedUntil: null, blind: null, last };
  const isFilling = last !== null && last.backfilledAt === null && now - (last.endedAt ?? now) < FILLING_MS;
  return { state: isFilling ? 'catching_up' : 'live', since, confirmedUntil, blind: null, last };
}
