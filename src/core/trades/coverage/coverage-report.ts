import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { BlindCause, BlindWindow, FactsDelayed } from './blind-window.ts';
import { BLIND_AFTER_MS, CONFIRMED_BEHIND_MS } from './coverage-record.ts';
import type { FeedPosition, StoredCoverage } from './stored-coverage.ts';
import type { UnwatchedVolume } from './unwatched-volume.ts';

/**
 * The stored position is never older than this while the feed runs: 25 s until a window opens, 12 s that confirmation
 * lags, 5 s between two confirmations, 5 s between two writes, 1 s between two checks, and 1 s to spare. An older one was
 * left by a dead process.
 */
export const LEFT_AFTER_MS = BLIND_AFTER_MS + CONFIRMED_BEHIND_MS + 12 * SECOND_MS;
/** How long after its end a window is expected to be backfilled. */
const FILLING_MS = 10 * MINUTE_MS;
const SUMMED_MAX = 10_000;

/**
 * State of a live feed. `unknown`: it has not seen anything yet, or does not run here. `catching_up`: it sees all trades,
 * and the last window is not backfilled yet. `unconfirmed`: trades come from a source that does not guarantee completeness.
 */
export const FEED_STATES = ['live', 'catching_up', 'unconfirmed', 'blind', 'unknown'] as const;
export type FeedState = (typeof FEED_STATES)[number];

/** The current state according to the record. */
export interface FeedView {
  readonly state: FeedState;
  /** When the feed was started for the first time; null when it never ran. */
  readonly since: EpochMs | null;
  readonly confirmedUntil: EpochMs | null;
  /** The open window, blind or unconfirmed. While no process runs the feed it is not stored yet, with the cause `stopped`. */
  readonly open: BlindWindow | null;
  /** The newest closed window; null when there is none. */
  readonly last: BlindWindow | null;
  /** Why the market cannot be read now; null while it is read, and when nothing is known. */
  readonly reason: BlindCause | null;
  /** In any state; null while no facts are late. */
  readonly factsDelayed: FactsDelayed | null;
  /** Null while it is not known. */
  readonly unwatched: UnwatchedVolume | null;
}

/** What the process that watches the market reports, besides the stored record. */
export interface ReportedFeed {
  /** The last failure of polling; null once something newer was confirmed. */
  readonly failure: BlindCause | null;
  readonly factsDelayed: FactsDelayed | null;
  readonly unwatched: UnwatchedVolume | null;
}

const NOTHING_REPORTED: ReportedFeed = { failure: null, factsDelayed: null, unwatched: null };

/** Windows of a time range, and their sums within it. */
export interface CoverageSummary {
  /** Newest first, at most the requested limit. */
  readonly windows: readonly BlindWindow[];
  /** Windows in the whole range, counted up to 10,000. */
  readonly count: number;
  /** The part of the range since the first start and until now. */
  readonly from: EpochMs;
  readonly until: EpochMs;
  /**
   * Milliseconds of that part: confirmed or in a window; blind; unconfirmed; and blind or unconfirmed but not backfilled.
   */
  readonly watchedMs: number;
  readonly blindMs: number;
  readonly unconfirmedMs: number;
  readonly unfilledMs: number;
}

interface ReportOptions {
  readonly store: Pick<StoredCoverage, 'windows' | 'readPosition'>;
  readonly clock: Pick<Clock, 'now'>;
  /** False where a tape is served; then the record ends where the live feed last ran. Default: true. */
  readonly isWatched?: boolean;
  /** Reported by the process that watches the market. Default: nothing. */
  readonly reported?: () => Promise<ReportedFeed>;
}

/** Reads the record, in any process. Throws when the database fails. */
export class CoverageReport {
  readonly #options: Required<ReportOptions>;

  constructor(options: ReportOptions) {
    this.#options = { isWatched: true, reported: async () => NOTHING_REPORTED, ...options };
  }

  async view(): Promise<FeedView> {
    const { store, clock, isWatched, reported } = this.#options;
    const [position, { failure, factsDelayed, unwatched }] = await Promise.all([
      store.readPosition(),
      reported(),
    ]);
    const [newest, before] = await store.windows({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 2 });
    const view = viewOf(position, { newest, before, now: clock.now() });
    return isWatched
      ? { ...view, reason: reasonOf(view, failure), factsDelayed, unwatched }
      : { ...view, state: 'unknown', open: null, reason: null, factsDelayed: null, unwatched: null };
  }

  /** For [since, until]; the time after now and before the first start is left out. */
  async summarise(query: { since: EpochMs; until: EpochMs; limit: number }): Promise<CoverageSummary> {
    const { store, clock, isWatched } = this.#options;
    const [stored, view] = await Promise.all([
      store.windows({ since: query.since, until: query.until, limit: SUMMED_MAX }),
      this.view(),
    ]);
    const { since: startedAt, confirmedUntil, open, last } = view;
    const isUnstored = open !== null && open.startedAt <= query.until && stored[0]?.id !== open.id;
    const windows = isUnstored ? [open, ...stored.filter(({ id }) => id !== open.id)] : stored;
    const now = isWatched ? clock.now() : (confirmedUntil ?? clock.now());
    const from = Math.min(Math.max(query.since, startedAt ?? now), now);
    const until = Math.max(from, Math.min(query.until, now));
    // What came after the last confirmed moment is neither confirmed nor missed yet.
    const knownUntil = open === null ? Math.max(confirmedUntil ?? from, last?.endedAt ?? from) : until;
    const msOf = (isIncluded: (window: BlindWindow) => boolean) =>
      windows.filter(isIncluded).reduce((sum, window) => {
        const ms = Math.min(window.endedAt ?? now, until) - Math.max(window.startedAt, from);
        return sum + Math.max(0, ms);
      }, 0);
    return {
      windows: windows.slice(0, query.limit),
      count: windows.length,
      from,
      until,
      watchedMs: Math.max(0, Math.min(until, knownUntil) - from),
      blindMs: msOf(({ cause }) => cause !== 'unconfirmed'),
      unconfirmedMs: msOf(({ cause }) => cause === 'unconfirmed'),
      unfilledMs: msOf(({ backfilledAt }) => backfilledAt === null),
    };
  }
}

interface Newest {
  readonly newest: BlindWindow | undefined;
  readonly before: BlindWindow | undefined;
  readonly now: EpochMs;
}

function viewOf(
  position: FeedPosition | null,
  { newest, before, now }: Newest,
): Omit<FeedView, 'reason' | 'factsDelayed' | 'unwatched'> {
  if (position === null)
    return { state: 'unknown', since: null, confirmedUntil: null, open: null, last: null };
  const { since } = position;
  // Initially the confirmed moment is the start itself.
  const confirmedUntil = position.confirmedUntil > since ? position.confirmedUntil : null;
  if (newest?.endedAt === null) {
    const state = newest.cause === 'unconfirmed' ? 'unconfirmed' : 'blind';
    return { state, since, confirmedUntil, open: newest, last: before ?? null };
  }
  const last = newest ?? null;
  const startedAt = Math.max(position.confirmedUntil, last?.endedAt ?? 0);
  if (now - startedAt > LEFT_AFTER_MS) {
    const id = `blind_${startedAt}`;
    const open: BlindWindow = { id, startedAt, endedAt: null, cause: 'stopped', backfilledAt: null };
    return { state: 'blind', since, confirmedUntil, open, last };
  }
  if (confirmedUntil === null) return { state: 'unknown', since, confirmedUntil, open: null, last };
  const isFilling = last !== null && last.backfilledAt === null && now - (last.endedAt ?? now) < FILLING_MS;
  return { state: isFilling ? 'catching_up' : 'live', since, confirmedUntil, open: null, last };
}

/** The last failure is newer than the cause with which the window began. */
function reasonOf({ state, open }: Pick<FeedView, 'state' | 'open'>, failure: BlindCause | null) {
  if (state === 'live' || state === 'catching_up') return null;
  const cause = open?.cause ?? 'unconfirmed';
  return failure ?? (cause === 'unconfirmed' ? null : cause);
}
