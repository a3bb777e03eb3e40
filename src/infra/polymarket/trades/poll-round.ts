import { HOUR_MS } from '../../../core/duration.ts';
import type { EpochMs, Trade } from '../../../core/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { createCatchUp } from './catch-up.ts';
import type { FeedSilence, SilenceVerdict } from './feed-silence.ts';
import { offerWalked } from './offer-fills.ts';
import { createPatientReader } from './patient-reader.ts';
import { LISTED_LATE_MS, type PageCursor } from './trade-listing.ts';
import type { ReadPage } from './trade-pages.ts';
import type { TradePollDeps, TradePollStatus } from './trade-poll-deps.ts';
import { type Walked, walkBack } from './trade-walk.ts';

/** How far before the last confirmed moment a round reaches, for what was listed late; the wide one now and then. */
const OVERLAP_MS = 5_000;
const WIDE_OVERLAP_MS = 60_000;
const WIDE_EVERY_MS = 10_000;
/** After a longer time unseen it reaches as far as sweeps do: they were not there for what was listed late then. */
const LONG_MS = 300_000;
/** The first start ever begins so far back. */
const FIRST_REACH_MS = HOUR_MS;
/** A round that reaches farther back catches up: nothing newer is offered meanwhile. */
const CATCH_UP_MS = 120_000;
/** The detector knows what it judged for 24 hours. */
const KNOWN_MS = 23 * HOUR_MS;
/** A list that ends before the floor is taken for whole when the floor is no older than this. */
const WHOLE_MS = 600_000;
type PollRoundDeps = TradePollDeps & {
  readonly first: PageCursor;
  readonly readPage: ReadPage;
  readonly silence: FeedSilence;
};

/** One walk from the newest page back to what is confirmed, and the offer of what it found. */
export interface PollRound {
  /** Rejects with an `UpstreamFault` when it is given up; what it had found is found again by the next. */
  run(signal: AbortSignal): Promise<void>;
  startedAt(): EpochMs;
  /** Up to when rounds have offered everything; null while one catches up. */
  liveUntil(): EpochMs | null;
  status(): TradePollStatus;
}

export function createPollRound(deps: PollRoundDeps): PollRound {
  const { clock, knows, silence } = deps;
  const catchUp = createCatchUp(deps);
  const readPage = createPatientReader(deps);
  let startedAt = Number.NEGATIVE_INFINITY;
  let widenedAt = Number.NEGATIVE_INFINITY;
  let confirmedUntil = deps.wantedFrom;
  let earliest: EpochMs | null = null;
  let newestTradeAt: EpochMs | null = null;
  let hasRun = false;

  function floorAt(start: EpochMs): EpochMs {
    if (confirmedUntil === null) return start - FIRST_REACH_MS;
    if (start - confirmedUntil > LONG_MS) return confirmedUntil - LISTED_LATE_MS;
    const isWide = start - widenedAt >= WIDE_EVERY_MS;
    if (isWide) widenedAt = start;
    return confirmedUntil - (isWide ? WIDE_OVERLAP_MS : OVERLAP_MS);
  }

  /** Offers what the market lists from the floor on. */
  async function take(floor: EpochMs, signal: AbortSignal): Promise<Walked> {
    const since = Math.max(earliest ?? floor, floor - KNOWN_MS);
    earliest = since;
    const isNew = (trade: Trade) => trade.at >= since && !knows(trade);
    const read = (cursor: PageCursor) => readPage(cursor, signal);
    const walked = await walkBack({ first: deps.first, read, floor, isNew, onPage: catchUp.walked });
    if (walked.newestAt === null && (newestTradeAt ?? deps.wantedFrom) !== null) throw unlisted(deps);
    newestTradeAt = walked.newestAt ?? newestTradeAt;
    if (walked.known > 0) deps.metrics.feedTrades('known', walked.known);
    const onOffer = (times: readonly EpochMs[]) => silence.heard(times, startedAt);
    await offerWalked({ ...deps, read, isNew, onOffer, onPage: catchUp.offered }, walked.pages);
    return walked;
  }

  /** Takes note of what the round has shown. */
  function confirm(start: EpochMs, floor: EpochMs, walked: Walked, verdict: SilenceVerdict): void {
    if (verdict.kind === 'unclear') return;
    const { from, until, complete } = shownBy(walked, { start, floor, verdict });
    if (verdict.kind === 'stalled') deps.failed('stalled', complete);
    if (until > from) deps.confirmed({ from, until });
    if (walked.ageMs > 0) deps.failed('stalled');
    // An old answer takes back nothing that a fresh one has shown before.
    confirmedUntil = Math.max(until, Math.min(confirmedUntil ?? from, complete));
  }

  return {
    async run(signal) {
      const start = clock.now();
      startedAt = start;
      const floor = floorAt(start);
      if (start - floor > CATCH_UP_MS) catchUp.begin({ floor, start });
      const walked = await take(floor, signal);
      confirm(start, floor, walked, silence.judge(signal));
      catchUp.end();
      hasRun = true;
    },
    startedAt: () => startedAt,
    liveUntil: () => (hasRun && catchUp.progress() === null ? confirmedUntil : null),
    status() {
      const progress = catchUp.progress();
      const calm = hasRun ? 'live' : 'starting';
      return { state: progress === null ? calm : 'catching_up', progress, newestTradeAt, confirmedUntil };
    },
  };
}

interface Round {
  readonly start: EpochMs;
  readonly floor: EpochMs;
  readonly verdict: SilenceVerdict;
}

/**
 * The span of which the walk has shown everything: never beyond the moment at which its answers were made. `complete`: how
 * far the market's data reached.
 */
function shownBy({ hasReachedFloor, oldestAt, ageMs }: Walked, { start, floor, verdict }: Round) {
  const isWhole = hasReachedFloor || start - floor <= WHOLE_MS;
  const complete = verdict.kind === 'stalled' ? Math.min(verdict.until, start) : start;
  return {
    from: isWhole ? floor : Math.max(oldestAt ?? floor, floor),
    until: Math.min(complete, start - ageMs),
    complete,
  };
}

/** A market that was watched before has had trades, and lists those of a month at least: none is no answer. */
function unlisted({ failed }: Pick<PollRoundDeps, 'failed'>): UpstreamFault {
  failed('refused');
  return new UpstreamFault('an empty list of a market that was watched before', {
    outcome: 'garbled',
    status: 200,
  });
}
