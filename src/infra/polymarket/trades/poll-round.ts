import { HOUR_MS } from '../../../core/duration.ts';
import type { EpochMs, Trade } from '../../../core/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { createCatchUpProgress } from './catch-up-progress.ts';
import { enqueueWalked } from './enqueue-fills.ts';
import type { FeedSilence, SilenceVerdict } from './feed-silence.ts';
import { FirstListings } from './first-listings.ts';
import { PollMarks, type Shown } from './poll-marks.ts';
import { createRetryingReader } from './retrying-reader.ts';
import { LIST_LAG_MS, type PageCursor } from './trade-listing.ts';
import type { ReadPage, TradePage } from './trade-pages.ts';
import type { TradePollDeps, TradePollStatus } from './trade-poll-deps.ts';
import { type Walked, type WalkOptions, walkBack } from './trade-walk.ts';

/** A round that reaches farther back catches up: nothing newer is offered meanwhile. */
const CATCH_UP_MS = 120_000;
/** The detector knows what it judged for 24 hours. */
const KNOWN_MS = 23 * HOUR_MS;
/** A list that ends before the floor is taken for whole when the floor is no older than this. */
const WHOLE_MS = 600_000;

type PollRoundDeps = TradePollDeps & {
  readonly readPage: ReadPage;
  readonly silence: FeedSilence;
};

/** One walk from the newest page back to what is known, and the offer of what it found. */
export interface PollRound {
  /** Rejects with an `UpstreamFault` when it is given up; what it had found is found again by the next. */
  run(signal: AbortSignal): Promise<void>;
  /** Up to when rounds have offered everything; null while one catches up. */
  liveUntil(): EpochMs | null;
  status(): TradePollStatus;
}

export function createPollRound(deps: PollRoundDeps): PollRound {
  const { knows, silence } = deps;
  const catchUp = createCatchUpProgress(deps);
  const readPage = createRetryingReader(deps);
  const firstListings = new FirstListings();
  let marks: PollMarks | null = null;
  let earliest: EpochMs | null = null;
  let newestTradeAt: EpochMs | null = null;
  let hasRun = false;

  /** Offers what the market lists from the floor on. */
  async function take(signal: AbortSignal): Promise<Listed> {
    let start = Number.NaN;
    let since = Number.POSITIVE_INFINITY;
    // With the newest page the market's time is known.
    function floor({ fills, asOf, ageMs }: TradePage): EpochMs {
      start = asOf + ageMs;
      marks ??= new PollMarks(deps.wantedFrom());
      const at = marks.floor(start, asOf);
      const newestAt = fills.reduce((newest, { trade }) => Math.max(newest, trade.at), asOf);
      if (Math.min(newestAt, start) - at > CATCH_UP_MS) catchUp.begin({ floor: at, start });
      earliest = since = Math.max(earliest ?? at, at - KNOWN_MS);
      return at;
    }
    const isNew = (trade: Trade) => trade.at >= since && !knows(trade);
    const read = (cursor: PageCursor) => readPage(cursor, signal);
    const onPage: WalkOptions['onPage'] = (page) => {
      silence.traded(firstListings.timesOf(page.listed), start);
      catchUp.walked(page);
    };
    const walked = await walkBack({ read, floor, isNew, onPage });
    if (walked.newestAt === null && (newestTradeAt ?? deps.wantedFrom()) !== null) throw unlisted(deps);
    newestTradeAt = walked.newestAt ?? newestTradeAt;
    if (walked.known > 0) deps.metrics.feedTrades('known', walked.known);
    await enqueueWalked({ ...deps, read, isNew, onPage: catchUp.enqueued }, walked.pages);
    return { ...walked, start };
  }

  /** Takes note of what the round has shown. */
  function confirm(marks: PollMarks, listed: Listed, verdict: SilenceVerdict): void {
    if (verdict.kind === 'unclear') return;
    const shown = shownBy(listed, verdict);
    if (verdict.kind === 'stalled') deps.failed('stalled', shown.complete - LIST_LAG_MS);
    const until = marks.move(shown);
    deps.fresh(Math.min(shown.asOf, shown.complete));
    if (until !== null) deps.confirmed({ from: shown.from, until });
    if (shown.asOf < shown.start) deps.failed('stalled');
  }

  return {
    async run(signal) {
      const listed = await take(signal);
      if (marks !== null) confirm(marks, listed, silence.classify(signal));
      catchUp.end();
      hasRun = true;
    },
    liveUntil: () => (hasRun && catchUp.progress() === null ? (marks?.listedUntil ?? null) : null),
    status() {
      const progress = catchUp.progress();
      const calm = hasRun ? 'live' : 'starting';
      const state = progress === null ? calm : 'catching_up';
      return { state, progress, newestTradeAt, confirmedUntil: marks?.confirmedUntil ?? null };
    },
  };
}

/** A walk, and when its first page was asked for. */
type Listed = Walked & { readonly start: EpochMs };

/** The span of which the walk has shown everything: never beyond the moment at which its answers were made. */
function shownBy(
  { start, floor, hasReachedFloor, oldestAt, newestAt, asOf }: Listed,
  verdict: SilenceVerdict,
): Shown {
  const isWhole = hasReachedFloor || start - floor <= WHOLE_MS;
  const complete = verdict.kind === 'stalled' ? Math.min(verdict.until, start) : start;
  const from = isWhole ? floor : Math.max(oldestAt ?? floor, floor);
  return { start, floor, from, asOf: Math.min(asOf, start), complete, newestAt };
}

/** A market that was watched before has had trades, and lists those of a month at least: none is no answer. */
function unlisted({ failed }: Pick<PollRoundDeps, 'failed'>): UpstreamFault {
  failed('refused');
  return new UpstreamFault('an empty list of a market that was watched before', {
    outcome: 'garbled',
    status: 200,
  });
}
