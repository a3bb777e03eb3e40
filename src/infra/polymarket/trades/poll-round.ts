import { HOUR_MS } from '../../../core/duration.ts';
import type { EpochMs, Trade } from '../../../core/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { createCatchUp } from './catch-up.ts';
import type { FeedSilence, SilenceVerdict } from './feed-silence.ts';
import { offerWalked } from './offer-fills.ts';
import { createPatientReader } from './patient-reader.ts';
import { PollMarks } from './poll-marks.ts';
import type { PageCursor } from './trade-listing.ts';
import type { ReadPage, TradePage } from './trade-pages.ts';
import type { TradePollDeps, TradePollStatus } from './trade-poll-deps.ts';
import { type Walked, walkBack } from './trade-walk.ts';

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
  const marks = new PollMarks(deps.wantedFrom);
  let earliest: EpochMs | null = null;
  let newestTradeAt: EpochMs | null = null;
  let hasRun = false;

  /** How far back the round goes, which the age of its newest page decides. */
  function floorOf(start: EpochMs, { fills, ageMs }: TradePage): EpochMs {
    const floor = marks.floor(start, start - ageMs);
    const newestAt = fills.reduce((newest, { trade }) => Math.max(newest, trade.at), start - ageMs);
    if (Math.min(newestAt, start) - floor > CATCH_UP_MS) catchUp.begin({ floor, start });
    return floor;
  }

  /** Offers what the market lists from the floor on. */
  async function take(start: EpochMs, signal: AbortSignal): Promise<Walked> {
    let since = Number.POSITIVE_INFINITY;
    const floor = (newest: TradePage) => {
      const at = floorOf(start, newest);
      earliest = since = Math.max(earliest ?? at, at - KNOWN_MS);
      return at;
    };
    const isNew = (trade: Trade) => trade.at >= since && !knows(trade);
    const read = (cursor: PageCursor) => readPage(cursor, signal);
    const walked = await walkBack({ read, floor, isNew, onPage: catchUp.walked });
    if (walked.newestAt === null && (newestTradeAt ?? deps.wantedFrom) !== null) throw unlisted(deps);
    newestTradeAt = walked.newestAt ?? newestTradeAt;
    if (walked.known > 0) deps.metrics.feedTrades('known', walked.known);
    const onOffer = (times: readonly EpochMs[]) => silence.heard(times, start);
    await offerWalked({ ...deps, read, isNew, onOffer, onPage: catchUp.offered }, walked.pages);
    return walked;
  }

  /** Takes note of what the round has shown. */
  function confirm(start: EpochMs, walked: Walked, verdict: SilenceVerdict): void {
    if (verdict.kind === 'unclear') return;
    const shown = shownBy(walked, start, verdict);
    if (verdict.kind === 'stalled') deps.failed('stalled', shown.complete);
    const until = marks.move(shown);
    if (until !== null) deps.confirmed({ from: shown.from, until });
    if (walked.ageMs > 0) deps.failed('stalled');
  }

  return {
    async run(signal) {
      const start = clock.now();
      startedAt = start;
      const walked = await take(start, signal);
      confirm(start, walked, silence.judge(signal));
      catchUp.end();
      hasRun = true;
    },
    startedAt: () => startedAt,
    liveUntil: () => (hasRun && catchUp.progress() === null ? marks.listedUntil : null),
    status() {
      const progress = catchUp.progress();
      const calm = hasRun ? 'live' : 'starting';
      const state = progress === null ? calm : 'catching_up';
      return { state, progress, newestTradeAt, confirmedUntil: marks.confirmedUntil };
    },
  };
}

/** The span of which the walk has shown everything: never beyond the moment at which its answers were made. */
function shownBy(
  { floor, hasReachedFloor, oldestAt, newestAt, ageMs }: Walked,
  start: EpochMs,
  verdict: SilenceVerdict,
) {
  const isWhole = hasReachedFloor || start - floor <= WHOLE_MS;
  const complete = verdict.kind === 'stalled' ? Math.min(verdict.until, start) : start;
  const from = isWhole ? floor : Math.max(oldestAt ?? floor, floor);
  return { start, floor, from, asOf: start - ageMs, complete, newestAt };
}

/** A market that was watched before has had trades, and lists those of a month at least: none is no answer. */
function unlisted({ failed }: Pick<PollRoundDeps, 'failed'>): UpstreamFault {
  failed('refused');
  return new UpstreamFault('an empty list of a market that was watched before', {
    outcome: 'garbled',
    status: 200,
  });
}
